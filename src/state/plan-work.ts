/** A plan at work: since when, at which step, and what critic and reviewer said. Bounded, because every event reads it. */
import { bounded, own } from "../lib/keyed.ts";

/** Who judges: `critic` a step or the finished plan, `reviewer` the plan before it is begun, a person what they like. */
export type JudgeName = "critic" | "reviewer" | "person";
/** `DEFERRED`: the step is the person's own, so nobody else can say that it is done. */
export type JudgeWord = "PASS" | "FAIL" | "DEFERRED";

export interface PlanVerdict {
  readonly at: number;
  readonly of: JudgeName;
  /** Absent: the whole plan. */
  readonly step?: string;
  readonly verdict: JudgeWord;
  /** The subagent that said it; empty for a person. */
  readonly agent: string;
  /** The session in which it was said. Absent for a person's command. */
  readonly session?: string;
  /** Digest of the judged part: of the step, or of the whole plan, without marks. */
  readonly plan: string;
  /** Digest of the covered files as they were. */
  readonly files: string;
  /** What it had to look at, and what its own tool calls show: "read 3 of 11 changed files, ran 1 command". */
  readonly covered: number;
  readonly read: number;
  readonly ran: number;
}

export interface StepWork {
  readonly state: "open" | "passed" | "deferred";
  readonly at: number;
  /** How often the critic has said FAIL, against the step's `max_iterations`. */
  readonly attempts: number;
  /** The worker says that it is done: a claim. */
  readonly claimed?: true;
  /** Digest of the step as it was when it passed. A step in other words is open again. */
  readonly plan?: string;
}

export interface PlanWork {
  /** When it was begun. */
  readonly at: number;
  readonly branch?: string;
  /** The commit from which its changes count; empty where there is none. */
  readonly base: string;
  /** The step that is worked on. */
  readonly step?: string;
  /** Steps that something was said about; all others are open. */
  readonly steps: Readonly<Record<string, StepWork>>;
  /** Newest last. */
  readonly verdicts: readonly PlanVerdict[];
  /** Marks of changed files, each with its content, that a critic has passed. */
  readonly judged: readonly string[];
  readonly over?: { readonly how: "closed" | "cancelled"; readonly at: number };
}

interface OfPlan {
  readonly record: "playbook";
  readonly root: string;
  readonly path: string;
}

export type PlanWorkChange = OfPlan &
  (
    | { readonly do: "begin"; readonly base: string; readonly branch?: string; readonly step?: string }
    /** The step becomes the one that is worked on. */
    | { readonly do: "step"; readonly step: string }
    /** The worker says that the step is done. */
    | { readonly do: "claim"; readonly step: string }
    | ({
        readonly do: "verdict";
        /** Marks of the covered files, for a PASS. */
        readonly judged?: readonly string[];
        /** The step that comes next, if this one is done. */
        readonly next?: string;
      } & Omit<PlanVerdict, "at" | "session">)
    | { readonly do: "cancel" }
  );

export type PlanWorks = Readonly<Record<string, PlanWork>>;

const WORKS_MAX = 8;
const STEPS_MAX = 250;
const VERDICTS_MAX = 24;
export const JUDGED_MAX = 256;

/** A change of a newer version changes nothing. */
export function reducePlanWork(
  works: PlanWorks,
  change: PlanWorkChange,
  now: number,
  session: string | undefined,
): PlanWorks {
  const found = own(works, change.path);
  // Where nobody said that work begins, it has begun once it is judged.
  const known = change.do === "verdict" && (!found || found.over) ? begun(found, { base: "" }, now) : found;
  const next = change.do === "begin" ? begun(known, change, now) : known && within(known, change, now, session);
  return next ? bounded(works, change.path, next, WORKS_MAX, ({ at, over }) => (over ? over.at - OVER_MS : at)) : works;
}

/** Plans that are over are dropped first. */
const OVER_MS = 1e12;

/** Beginning again keeps where it began: otherwise changes could be left out of what the critic must see. */
function begun(
  known: PlanWork | undefined,
  { base, branch, step }: Pick<PlanWorkChange & { readonly do: "begin" }, "base" | "branch" | "step">,
  now: number,
): PlanWork {
  if (known && !known.over) return { ...known, ...(branch !== undefined && { branch }) };
  return {
    at: now,
    ...(branch !== undefined && { branch }),
    base,
    ...(step !== undefined && { step }),
    steps: {},
    verdicts: [],
    judged: [],
  };
}

function within(
  work: PlanWork,
  change: Exclude<PlanWorkChange, { readonly do: "begin" }>,
  now: number,
  session: string | undefined,
): PlanWork | undefined {
  switch (change.do) {
    case "step":
      return { ...work, step: change.step };
    case "claim":
      return withStep(work, change.step, { ...stepIn(work, change.step), claimed: true, at: now });
    case "verdict":
      return judgedBy(work, change, now, session);
    case "cancel":
      return over(work, "cancelled", now);
    default:
      return undefined;
  }
}

export function over(work: PlanWork, how: "closed" | "cancelled", now: number): PlanWork {
  return { ...work, judged: [], over: { how, at: now } };
}

/** Another one wherever another step may be the current one, or may be done. */
export function standingOf(work: PlanWork | undefined): string {
  if (!work) return "";
  const { at, step = "", verdicts } = work;
  const last = verdicts.at(-1);
  return [at, step, verdicts.length, last?.at, last?.step, last?.verdict].join(" ");
}

export function stepIn({ steps }: Pick<PlanWork, "steps">, id: string): StepWork {
  return own(steps, id) ?? { state: "open", at: 0, attempts: 0 };
}

function withStep(work: PlanWork, id: string, step: StepWork): PlanWork {
  return { ...work, steps: bounded(work.steps, id, step, STEPS_MAX, ({ at }) => at) };
}

function judgedBy(
  work: PlanWork,
  change: PlanWorkChange & { readonly do: "verdict" },
  now: number,
  session: string | undefined,
): PlanWork {
  const { step, verdict, judged = [], next } = change;
  const heard = { ...work, verdicts: [...work.verdicts, verdictFrom(change, now, session)].slice(-VERDICTS_MAX) };
  const kept = verdict === "PASS" ? { ...heard, judged: withJudged(work.judged, judged) } : heard;
  if (step === undefined) return kept;
  return { ...withStep(kept, step, after(stepIn(work, step), change, now)), ...onward(work, change, next) };
}

/** What is kept of a verdict. */
export function verdictFrom(
  change: PlanWorkChange & { readonly do: "verdict" },
  at: number,
  session: string | undefined,
): PlanVerdict {
  const { of, step, verdict, agent, plan, files, covered, read, ran } = change;
  return {
    at,
    of,
    ...(step !== undefined && { step }),
    verdict,
    agent,
    ...(session !== undefined && { session }),
    plan,
    files,
    covered,
    read,
    ran,
  };
}

function after(before: StepWork, { verdict, plan }: PlanWorkChange & { readonly do: "verdict" }, at: number): StepWork {
  const { attempts } = before;
  if (verdict === "FAIL") return { state: "open", at, attempts: attempts + 1 };
  return { state: verdict === "PASS" ? "passed" : "deferred", at, attempts, plan };
}

/** A step that is done hands on to the next, unless the work is elsewhere already. */
function onward(
  { step }: PlanWork,
  change: PlanWorkChange & { readonly do: "verdict" },
  next: string | undefined,
): Pick<PlanWork, "step"> {
  return change.verdict !== "FAIL" && change.step === step && next !== undefined ? { step: next } : {};
}

function withJudged(before: readonly string[], marks: readonly string[]): readonly string[] {
  return Array.isArray(marks) ? [...new Set([...before, ...marks])].slice(-JUDGED_MAX) : before;
}
