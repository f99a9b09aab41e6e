/** The form in which a critic or reviewer must speak. Words in any other form are no verdict. */
import type { JudgeName, JudgeWord } from "../state/plan-work.ts";
import { isHollow } from "./claims.ts";
import type { Playbook, Step } from "./playbook.ts";

export interface Said {
  readonly verdict: JudgeWord;
  /** The step's id; absent if it is about the whole plan. */
  readonly step?: string;
  /** The name of the plan, where it was given. */
  readonly name?: string;
}

const VERDICT = /^VERDICT: (PASS|FAIL|DEFERRED) (?:step (\S{1,20})|plan(?: (\S{1,80}))?)\s*$/;

/** Undefined if there is no such line, or more than one that begins like it. */
export function saidIn(message: string): Said | undefined {
  const [line, ...more] = message.split("\n").filter((one) => one.startsWith("VERDICT:"));
  const [, verdict, step, name] = VERDICT.exec(line ?? "") ?? [];
  if (more.length > 0 || verdict === undefined) return undefined;
  return {
    verdict: verdict as JudgeWord,
    ...(step !== undefined && { step }),
    ...(name !== undefined && { name: name.replace(/\.md$/, "") }),
  };
}

/** The six questions that every plan is asked. */
export const CRITERIA = [
  "input clarity",
  "output verifiability",
  "logical chain",
  "completeness",
  "scope clarity",
  "risk mitigation",
] as const;
/** A reviewer that found nothing weak has not looked for it. */
export const WEAKEST = "weakest point";

/** The lines that a PASS must have and lacks, or has without evidence. */
export function missingIn(message: string, wanted: readonly string[]): readonly string[] {
  const lines = message.split("\n");
  return wanted.filter((id) => !lines.some((line) => shows(line, id)));
}

/** What must be shown one by one: the boxes of a step, the steps of a plan, the questions to a plan. */
export function wantedFor(
  of: Exclude<JudgeName, "person">,
  { steps }: Playbook,
  step: Step | undefined,
): readonly string[] {
  if (of === "reviewer") return [...CRITERIA, WEAKEST];
  if (step) return step.subtasks.filter(({ optional }) => !optional).map(({ id }) => id);
  return steps.filter(({ isFinal }) => !isFinal).map(({ id }) => id);
}

const EVIDENCE_MIN = 8;

/** `1.2 PASS – npm test: exit 0`; for the weakest point any words. */
function shows(line: string, id: string): boolean {
  const plain = line.replace(/^[\s>*•-]+|[`*]/g, "").trim();
  if (!plain.toLowerCase().startsWith(id.toLowerCase())) return false;
  const rest = plain.slice(id.length).replace(/^\s*[:：]?\s*/, "");
  if (/^[\w.]/.test(plain.slice(id.length))) return false;
  if (id === WEAKEST) return rest.length >= EVIDENCE_MIN;
  const [, evidence] = /^(?:PASS|DEFERRED)\b[\s\-–—:：]*(.*)$/.exec(rest) ?? [];
  return evidence !== undefined && evidence.length >= EVIDENCE_MIN && !isHollow(`PASS ${evidence}`);
}
