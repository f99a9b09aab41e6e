/** The evidence rules, and whether the newest session satisfies them. */
import { defaultRules } from "../evidence/default-rules.ts";
import { type EvidenceState, freshly } from "../evidence/evidence-rule.ts";
import { proofStanding } from "../evidence/proof-standing.ts";
import { bareName } from "../state/session/proof.ts";
import type { Session } from "../state/session/session.ts";
import type { EvidenceRule, Need } from "../state/settings/evidence-rules.ts";
import { type CheckedSettings, problemWords } from "../state/settings/settings.ts";
import type { State } from "../state/state.ts";
import { isoTime, relativeAge } from "./time.ts";

export interface RulesInput {
  readonly settings: CheckedSettings;
  /** Skills available to a session here. */
  readonly skills: readonly string[];
  /** The directory in a project with one directory per skill. */
  readonly skillsDirectory: string;
  readonly state: State;
  readonly now: number;
  /** For evidence outside the session's proof: checks, changes, markers. */
  readonly standing?: (need: Need, session: Session) => EvidenceState | undefined;
}

export interface RulesView {
  readonly session: { readonly id: string; readonly lastSeen: string } | null;
  readonly rules: readonly RuleView[];
  readonly problems: readonly string[];
}

export interface RuleView {
  readonly name: string;
  readonly before: string;
  readonly needs: string;
  readonly else: EvidenceRule["else"];
  /** A file, `profile NAME`, or `default`. */
  readonly from: string;
  /** Why it is not in force. */
  readonly off?: string;
  /** Null: it depends on the file, or is unknown. */
  readonly met: boolean | null;
  readonly evidence: string;
  readonly at?: string;
}

export function rulesView(input: RulesInput): RulesView {
  const { settings, state, now } = input;
  const [newest] = Object.entries(state.sessions).sort(([, a], [, b]) => b.lastAt - a.lastAt);
  const there = input.skills.map(bareName);
  const from = settings.from ?? {};
  const ours = defaultRules(settings.settings, input.skillsDirectory).map(({ rule, setting, skill }): RuleView => {
    const isMissing = skill !== undefined && !there.includes(bareName(skill));
    const off = isMissing && { off: `there is no skill ${bareName(skill)} here` };
    return { ...ruleView(rule, from[setting] ?? "default", newest?.[1], input), ...off };
  });
  const theirs = settings.settings.gates.rules.map((rule) =>
    ruleView(rule, from[`gates.rules.${rule.name}`] ?? "settings", newest?.[1], input),
  );
  return {
    session: newest ? { id: newest[0], lastSeen: relativeAge(now - newest[1].lastAt) } : null,
    rules: [...ours, ...theirs],
    problems: settings.problems.filter(({ key }) => /^(?:rules|gates)\./.test(key)).map(problemWords),
  };
}

function ruleView(rule: EvidenceRule, from: string, session: Session | undefined, input: RulesInput): RuleView {
  const { name, when, need } = rule;
  return {
    name,
    before: whenWords(when),
    needs: needWords(need),
    else: rule.else,
    from,
    ...metBy(need, session, input),
  };
}

function metBy(
  need: Need,
  session: Session | undefined,
  { now, standing }: RulesInput,
): Pick<RuleView, "met" | "evidence" | "at"> {
  if (!session) return { met: null, evidence: "no session yet" };
  const { proof } = session;
  if (need.evidence === "read") {
    return { met: null, evidence: `by file; ${Object.keys(proof?.reads ?? {}).length} read so far` };
  }
  const isProof = need.evidence === "skill" || need.evidence === "verdict" || need.evidence === "approval";
  const shown = isProof ? proofStanding(session, undefined)(need) : standing?.(need, session);
  if (!shown) return { met: null, evidence: "not recorded" };
  const { turnAt, changedAt } = proof ?? {};
  const { met, at, why } = freshly(need, shown, {
    now,
    ...(turnAt !== undefined && { turnAt }),
    ...(changedAt !== undefined && { changedAt }),
  });
  const age = at === undefined ? "" : `${relativeAge(now - at)}`;
  const words = met ? `shown ${age}`.trim() : `${WHY[why ?? "missing"]}${age && `, ${age}`}`;
  return { met, evidence: words, ...(at !== undefined && { at: isoTime(at) }) };
}

const WHY: Readonly<Record<NonNullable<EvidenceState["why"]>, string>> = {
  missing: "not shown in this session",
  failed: "failed",
  stale: "too old",
  partial: "only in part",
  "other-agent": "shown to a subagent only",
};

function whenWords({ event, globs, kinds = [], effects = [] }: EvidenceRule["when"]): string {
  const verbs = effects.length === 0 ? "write or delete" : effects.join(" or ");
  const files = [...kinds.map((kind) => (kind === "code" ? "code" : "documents")), ...(globs ?? [])];
  if (event === "PreToolUse") return `${verbs}: ${files.length === 0 ? "any file" : files.join(", ")}`;
  return files.length === 0 ? event : `${event} after a change of ${files.join(", ")}`;
}

function needWords({ evidence, of, freshness }: Need): string {
  const thing = evidence === "read" ? "a read of that file" : `${evidence} ${of}`;
  const since = typeof freshness === "number" ? `in the last ${freshness} min` : FRESH[freshness];
  return `${thing}, ${since}`;
}

const FRESH: Readonly<Record<Extract<Need["freshness"], string>, string>> = {
  session: "in this session",
  turn: "since the person last spoke",
  change: "since code last changed",
};
