/** Finds the refused parts of an operation, and which of them the policies would refuse again. */

import { own } from "../lib/keyed.ts";
import { maskText } from "../lib/secrets.ts";
import { clip } from "../lib/text.ts";
import type { Effect } from "../reading/operation/effects.ts";
import { type Operation, operationOf, singleOperation } from "../reading/operation/operation.ts";
import type { Invocation, ShellReading } from "../reading/shell/parse/reading.ts";
import type { RefusedEffect } from "../state/session/refused.ts";
import { isUnknown, openFacts, type Script } from "./facts.ts";
import { isAboutRefusals, type Policy } from "./policy.ts";
import type { Question, TraceEntry } from "./verdict.ts";

/** Limits that keep a record small. */
const KEPT_MAX = 3;
const CHARS_MAX = 200;
const PARTS_MAX = 40;

/**
 * Finds the parts of a line that caused a refusal: each part alone is checked by the policy that objected, and a part
 * that passes was not a cause. The policies need not know of it.
 */
export function refusedEffects(
  question: Question,
  trace: readonly TraceEntry[],
  policies: readonly Policy[],
): readonly RefusedEffect[] {
  const found = trace.flatMap(({ policy: id, ruling, fault }) => {
    const policy = policies.find((candidate) => candidate.id === id);
    if (!policy || fault !== undefined || ruling.decision === "pass" || isAboutRefusals(policy)) return [];
    if (policy.ofTheMoment) return [];
    const floor = (policy.floor || ruling.floor) && { floor: true as const };
    const isCause = (part: Part): boolean => {
      const said = rulingOn(policy, partQuestion(question, part));
      return said !== undefined && (said === ruling.decision || said === "deny");
    };
    return partsOf(question)
      .filter((part) => part.isWhole || isCause(part))
      .map(({ what, by, kind }): RefusedEffect => ({ kind, what, by: clip(by, 40), policy: id, ...floor }));
  });
  const isNew = (one: RefusedEffect, at: number): boolean =>
    found.findIndex(({ kind, what, policy }) => kind === one.kind && what === one.what && policy === one.policy) === at;
  return found.filter(isNew).slice(0, KEPT_MAX);
}

/** The same question with only the refusals of this session whose cause still holds. */
export function withStanding(question: Question, trace: readonly TraceEntry[], policies: readonly Policy[]): Question {
  const { refused } = question.facts;
  if (refused === undefined || isUnknown(refused)) return question;
  const standing = refused.filter((one) => stands(one, question, policies));
  const isAgain = (id: string): boolean =>
    trace.some(({ policy, ruling }) => policy === id && ruling.decision !== "pass");
  const marked = standing.map((one) => ({ ...one, again: isAgain(one.policy) }));
  return { ...question, facts: { ...question.facts, refused: marked } };
}

/**
 * A setting, a branch or the parser may have changed since, so the policy that refused is checked again on the same
 * effect.
 */
function stands(refused: RefusedEffect, question: Question, policies: readonly Policy[]): boolean {
  const { settings } = question.facts;
  const isOff = settings !== undefined && !isUnknown(settings) && own(settings.policies, refused.policy) === "off";
  if (isOff && !refused.floor) return false;
  const policy = policies.find(({ id }) => id === refused.policy);
  // The policy does not apply to this tool, so nothing new is known about the cause.
  if (!policy) return true;
  const operation = operationAgain(refused, question);
  return operation === undefined || rulingOn(policy, alone(question, operation)) !== "pass";
}

function operationAgain({ kind, what, by }: RefusedEffect, { event, operation }: Question): Operation | undefined {
  if (kind === "run")
    return operation?.shell && operationOf({ ...SHELL, command: what }, { cwd: event.cwd, home: "/" });
  const effect = { kind, path: what, literal: true, glob: false, recursive: true, by, spelled: what, elsewhere: false };
  return { ...singleOperation("exec", "shell_exec", "medium", [effect]), shell: NOTHING };
}

const SHELL = { kind: "bash", name: "Bash", command: "", background: false } as const;
const NOTHING: ShellReading = { invocations: [], programs: [], unknown: [], replicates: false };

interface Part extends Pick<RefusedEffect, "kind" | "what" | "by"> {
  readonly operation: Operation;
  readonly targets?: Readonly<Record<string, string>>;
  /** This part is the whole operation, so the policy need not be checked again. */
  readonly isWhole?: true;
}

function partsOf({ operation, facts }: Question): readonly Part[] {
  if (!operation) return [];
  const targets = facts.targets === undefined || isUnknown(facts.targets) ? {} : facts.targets;
  const scripts = facts.scripts === undefined || isUnknown(facts.scripts) ? [] : facts.scripts;
  if (!operation.shell)
    return operation.effects.map((one) => ({ ...effectPart(operation, one, targets), isWhole: true }));
  return [...shellParts(operation, targets), ...scripts.flatMap(scriptParts)].slice(0, PARTS_MAX);
}

function scriptParts({ operation, targets = {} }: Script): readonly Part[] {
  return operation ? shellParts(operation, targets).map((part) => ({ ...part, targets })) : [];
}

function shellParts(operation: Operation, targets: Readonly<Record<string, string>>): readonly Part[] {
  const certain = operation.effects.filter(({ literal, glob, elsewhere, path }) => {
    return literal && !glob && !elsewhere && path.startsWith("/") && path.length <= CHARS_MAX;
  });
  const invocations = operation.shell?.invocations ?? [];
  return [
    ...certain.map((one) => effectPart(operation, one, targets)),
    ...invocations.map((invocation): Part => {
      const shell = { ...NOTHING, invocations: [invocation] };
      const what = wordsOf(invocation);
      return { kind: "run", what, by: invocation.name ?? "", operation: { ...operation, effects: [], shell } };
    }),
  ];
}

function effectPart(operation: Operation, effect: Effect, targets: Readonly<Record<string, string>>): Part {
  const { kind, path, by } = effect;
  const shell = operation.shell && { shell: NOTHING };
  return { kind, what: own(targets, path) ?? path, by, operation: { ...operation, effects: [effect], ...shell } };
}

/** The words of a command, used to recognize it: secrets masked, length limited. */
export function wordsOf({ word, args }: Invocation): string {
  return clip(
    maskText(
      [word, ...args]
        .map(({ text }) => text)
        .join(" ")
        .slice(0, 1000),
    ),
    CHARS_MAX,
  );
}

function partQuestion(question: Question, { operation, targets }: Part): Question {
  const facts = targets ? { ...question.facts, targets } : question.facts;
  return alone({ ...question, facts }, operation);
}

function alone(question: Question, operation: Operation): Question {
  const event = "tool" in question.event && operation.shell ? { ...question.event, tool: SHELL } : question.event;
  return { event, operation, facts: { ...question.facts, scripts: [] } };
}

/** Undefined if the policy throws. */
function rulingOn(policy: Policy, { event, operation, facts }: Question): string | undefined {
  try {
    const given = { event, operation, facts: openFacts(facts, policy.needs) };
    return policy.check(given as Parameters<Policy["check"]>[0]).decision;
  } catch {
    return undefined;
  }
}
