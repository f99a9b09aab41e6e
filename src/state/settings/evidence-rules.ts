/** Evidence rules as data: before X there must be fresh evidence Y. Defines and validates them. */

import { fieldsOf, isWhole, oneOf, someOf, unknownKey } from "./field-problems.ts";

export const RULE_EVENTS = ["PreToolUse", "Stop", "TaskCompleted"] as const;
export const EVIDENCE_KINDS = ["skill", "read", "change", "command", "verdict", "approval", "marker"] as const;
const FILE_KINDS = ["code", "document"] as const;
const EFFECTS = ["write", "delete"] as const;
const CONSEQUENCES = ["deny", "ask", "block", "warn"] as const;
const FRESHNESS = ["session", "turn", "change"] as const;

export type RuleEvent = (typeof RULE_EVENTS)[number];
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** The evidence that a rule requires. */
export interface Need {
  readonly evidence: EvidenceKind;
  /** Which skill, check, reviewer, approval, files or marker. Not used for `read`, which means the file itself. */
  readonly of?: string;
  /** Since the session began, since the person's last prompt, since code last changed, or within this many minutes. */
  readonly freshness: (typeof FRESHNESS)[number] | number;
}

export interface EvidenceRule {
  readonly name: string;
  readonly when: {
    readonly event: RuleEvent;
    /** As in a `.gitignore`, relative to the project's root. */
    readonly globs?: readonly string[];
    readonly kinds?: readonly (typeof FILE_KINDS)[number][];
    readonly effects?: readonly (typeof EFFECTS)[number][];
  };
  readonly need: Need;
  readonly else: (typeof CONSEQUENCES)[number];
  /** How many times in a row the rule may refuse a Stop. */
  readonly bound?: number;
}

/** Names of the built-in rules; other rules cannot use them. */
export const DEFAULT_RULE_NAMES = ["code-skill", "document-skill", "writing-skill", "read-before-edit"] as const;

export const RULES_MAX = 40;

/** Why a value is not a valid rule, with the key; undefined when it is valid. */
export function problemInRule(value: unknown): string | undefined {
  const rule = fieldsOf(value);
  if (!rule) return "must be a map with name, when, need and else";
  const { name, when, need, else: consequence, bound } = rule;
  return (
    unknownKey(rule, "", ["name", "when", "need", "else", "bound"]) ??
    nameProblem(name) ??
    whenProblem(when) ??
    needProblem(need) ??
    oneOf("else", consequence, CONSEQUENCES) ??
    (consequence === "ask" && fieldsOf(when)?.["event"] !== "PreToolUse"
      ? `else must be "deny", "block" or "warn" at ${String(fieldsOf(when)?.["event"])}: nobody can be asked there`
      : undefined) ??
    (bound === undefined || isWhole(bound, 1, 20) ? undefined : "bound must be a whole number from 1 to 20")
  );
}

/** Fills in the defaults of omitted fields. */
export function ruleOf(value: unknown): EvidenceRule {
  const rule = value as EvidenceRule;
  return { ...rule, need: { ...rule.need, freshness: rule.need.freshness ?? "session" } };
}

function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]{0,39}$/.test(name))
    return "name must be at most 40 small letters, digits and dashes";
  return (DEFAULT_RULE_NAMES as readonly string[]).includes(name)
    ? `name "${name}" belongs to a built-in rule`
    : undefined;
}

function whenProblem(value: unknown): string | undefined {
  const when = fieldsOf(value);
  if (!when) return "when must be a map with event, and globs, kinds or effects";
  const { event, globs, kinds, effects } = when;
  return (
    unknownKey(when, "when.", ["event", "globs", "kinds", "effects"]) ??
    oneOf("when.event", event, RULE_EVENTS) ??
    (globs === undefined || areGlobs(globs) ? undefined : "when.globs must be a list of 1 to 20 patterns") ??
    someOf("when.kinds", kinds, FILE_KINDS) ??
    someOf("when.effects", effects, EFFECTS)
  );
}

function needProblem(value: unknown): string | undefined {
  const need = fieldsOf(value);
  if (!need) return "need must be a map with evidence, of and freshness";
  const { evidence, of, freshness } = need;
  const isNamed = typeof of === "string" && of.trim() !== "" && of.length <= 100;
  return (
    unknownKey(need, "need.", ["evidence", "of", "freshness"]) ??
    oneOf("need.evidence", evidence, EVIDENCE_KINDS) ??
    (of === undefined || isNamed ? undefined : "need.of must be a name of at most 100 letters") ??
    (of === undefined && evidence !== "read" ? `need.of must say which ${String(evidence)}` : undefined) ??
    (freshness === undefined || isWhole(freshness, 1, 10_080)
      ? undefined
      : oneOf("need.freshness", freshness, FRESHNESS, " or a number of minutes from 1 to 10080"))
  );
}

function areGlobs(value: unknown): boolean {
  const isGlob = (each: unknown): boolean => typeof each === "string" && each.trim() !== "" && each.length <= 200;
  return Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(isGlob);
}
