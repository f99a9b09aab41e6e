/** A run of a pipeline, as its records tell it. The definition is not needed here: records say what was decided by it. */
import { own, put } from "../../lib/keyed.ts";
import { holds } from "../../lib/ranges.ts";
import type { BlobRef } from "../inbox/records.ts";
import type { Stamp } from "../record.ts";
import type { HostProcess } from "../session/session.ts";
import type { BeginRecord, Cause, Completion, Limits, RunRecord, StartRecord, Used } from "./records.ts";

export interface Run {
  readonly id: string;
  readonly pipeline: string;
  readonly tier: string;
  readonly digest: string;
  readonly definition: BlobRef;
  readonly given: BlobRef;
  readonly root: string;
  readonly base: string;
  readonly snapshot?: string;
  readonly limits: Limits;
  readonly how: "headless" | "guided";
  readonly startedAt: number;
  /** Of the newest runner; 0 before the first. */
  readonly token: number;
  readonly runner?: HostProcess;
  readonly steps: Readonly<Record<string, StepRun>>;
  /** Failed and lost passes of all steps. */
  readonly retries: number;
  readonly spent: Spent;
  readonly hold?: Hold;
  /** By path: worktrees that were made and not removed. */
  readonly worktrees: Readonly<Record<string, Worktree>>;
  readonly cancelled?: { readonly by: string; readonly at: number };
  readonly ended?: { readonly verdict: Completion; readonly why: string; readonly at: number };
  /** The last record of it. */
  readonly at: number;
}

export interface StepRun {
  /** Its place in the plan. */
  readonly n: number;
  /**
   * `open`: to be done, perhaps again. `fell`: its last pass failed and nobody has decided yet. `asked`: a person must
   * answer. `failed`: for good.
   */
  readonly status: "open" | "running" | "fell" | "asked" | "done" | "skipped" | "failed";
  /** Passes begun. The number is never used again. */
  readonly attempt: number;
  /** Failures since it was last opened, and of these the ones on the model in use. */
  readonly failures: number;
  readonly onModel: number;
  readonly model?: string;
  /** Passes lost one after the other. */
  readonly lost: number;
  readonly begun?: Begun;
  readonly last?: { readonly cause: Cause; readonly why: string; readonly at: number };
  /** The attempt after which the fix command ran. */
  readonly fixed?: number;
  readonly evidence: readonly string[];
  /** Files changed after its evidence. */
  readonly isVoid?: true;
  readonly commit?: string;
  readonly out?: BlobRef;
  readonly red?: string;
  readonly verdict?: "go" | "conditional";
  readonly approval?: string;
  /** What its last pass cost, if that is known. */
  readonly price?: number;
  readonly ms: number;
}

export interface Begun extends Pick<BeginRecord, "attempt" | "session" | "process" | "ceiling" | "worktree"> {
  readonly token: number;
  readonly at: number;
}

export interface Spent {
  readonly usd: number;
  /** What passes of unknown cost may have used at most. */
  readonly assumed: number;
  /** Passes of unknown cost that had no limit either. */
  readonly unknown: number;
  readonly tokens: number;
  readonly agents: number;
  readonly ms: number;
}

export interface Hold {
  readonly step: string;
  readonly attempt: number;
  readonly cause: Cause | "ladder";
  readonly why: string;
  readonly at: number;
}

export interface Worktree {
  readonly step: string;
  readonly attempt: number;
  /** Why it was left. */
  readonly why?: string;
}

const NOTHING: Spent = { usd: 0, assumed: 0, unknown: 0, tokens: 0, agents: 0, ms: 0 };

export function begunRun({ kind: _, do: __, run: id, ...started }: StartRecord, at: number): Run {
  const none = { token: 0, steps: {}, retries: 0, spent: NOTHING, worktrees: {} } as const;
  return { ...started, ...none, id, startedAt: at, at };
}

/** Total and pure. A record that doesn't fit the run, or comes from a runner that lost it, changes nothing. */
export function reduceRun(run: Run, record: RunRecord & Pick<Stamp, "t">): Run {
  if (run.ended || record.do === "start") return run;
  const next = reduced(run, record);
  return next === run ? run : { ...next, at: Math.max(run.at, record.t) };
}

function reduced(run: Run, record: Exclude<RunRecord, StartRecord> & Pick<Stamp, "t">): Run {
  if (record.do === "cancel") return run.cancelled ? run : { ...run, cancelled: { by: record.by, at: record.t } };
  if (record.do === "runner") {
    if (record.token !== run.token + 1) return run;
    return { ...run, token: record.token, runner: record.process };
  }
  if (record.token !== run.token) return run;
  switch (record.do) {
    case "rest": {
      const { runner: _, ...resting } = run;
      return resting;
    }
    case "begin":
      return begin(run, record);
    case "skip":
      return inStep(run, record.step, record.n, (step) => ({ ...step, status: "skipped" }));
    case "gate": {
      if (!mayAsk(own(run.steps, record.step), record.attempt)) return run;
      const asked = inStep(run, record.step, record.n, (step) => {
        const { begun: _, ...rest } = step;
        const { attempt, evidence } = record;
        return { ...rest, attempt, evidence, status: "asked", ms: step.ms + record.used.ms };
      });
      return { ...asked, spent: withUse(run.spent, record.used, own(run.steps, record.step)?.begun) };
    }
    case "end": {
      const { runner: _, ...rest } = run;
      return { ...rest, ended: { verdict: record.verdict, why: record.why, at: record.t } };
    }
    default:
      return ofStep(run, record);
  }
}

/** After its pass, or for a gate that asks nobody else. */
function mayAsk(step: StepRun | undefined, attempt: number): boolean {
  return step?.begun ? step.attempt === attempt : attempt === (step?.attempt ?? 0) + 1;
}

type StepRecord = Exclude<
  RunRecord,
  { readonly do: "start" | "runner" | "rest" | "begin" | "skip" | "gate" | "cancel" | "end" }
>;

function ofStep(run: Run, record: StepRecord & Pick<Stamp, "t">): Run {
  const step = own(run.steps, record.step);
  if (record.do === "worktree") return withWorktree(run, record);
  if (step?.attempt !== record.attempt) return run;
  switch (record.do) {
    case "done":
      return done(run, step, record);
    case "fail":
      return fail(run, step, record);
    case "lost":
      return lost(run, step, record);
    case "fix":
      return fix(run, step, record);
    case "escalate":
      return withStep(run, record.step, { ...step, model: record.to, onModel: 0 });
    case "retry":
    case "compensate":
      return opened(run, ({ n }) => holds(record.reset, n));
    case "hold": {
      const { cause, why, attempt, t: at } = record;
      return { ...run, hold: { step: record.step, attempt, cause, why, at } };
    }
    case "release": {
      const { hold: _, ...free } = run;
      return withStep(free, record.step, { ...step, status: "open", failures: 0, onModel: 0, lost: 0 });
    }
    case "give-up": {
      const last = step.last ?? { cause: "work", why: record.why, at: record.t };
      return withStep(run, record.step, { ...step, status: "failed", last });
    }
    default:
      record satisfies never;
      return run;
  }
}

type Told<Do> = StepRecord & { readonly do: Do } & Pick<Stamp, "t">;

function done(run: Run, { begun, ...step }: StepRun, record: Told<"done">): Run {
  if (!begun && step.status !== "asked") return run;
  const { evidence, used, commit, out, red, verdict, approval } = record;
  const { isVoid: _, ...fresh } = priced(step, used);
  const won = { evidence, ...known({ commit, out, red, verdict, approval }) };
  const next: StepRun = { ...fresh, ...won, status: "done", failures: 0, onModel: 0, lost: 0 };
  return { ...withStep(run, record.step, next), spent: withUse(run.spent, used, begun) };
}

/** A person's no counts also where somebody else wrote that it had passed. */
function fail(run: Run, { begun, ...step }: StepRun, record: Told<"fail">): Run {
  const { cause, why, used, evidence, commit, out, t: at } = record;
  const isAnswer = step.status === "asked" || (step.status === "done" && cause === "rejected");
  if (!begun && !isAnswer) return run;
  const counted = { failures: step.failures + 1, onModel: step.onModel + 1, lost: 0 };
  const told = { evidence, last: { cause, why, at }, ...known({ commit, out }) };
  const next = withStep(run, record.step, { ...priced(step, used), ...counted, ...told, status: "fell" });
  return { ...next, retries: run.retries + 1, spent: withUse(run.spent, used, begun) };
}

function lost(run: Run, { begun, ...step }: StepRun, { step: key, stopped, commit, t }: Told<"lost">): Run {
  if (!begun) return run;
  const count = stopped ? 0 : 1;
  const next = withStep(run, key, { ...step, status: "open", lost: step.lost + count, ...known({ commit }) });
  const spent = withUse(run.spent, { ms: Math.max(0, t - begun.at) }, begun);
  return { ...next, spent, retries: run.retries + count };
}

function fix(run: Run, step: StepRun, { step: key, attempt, changed, ms }: Told<"fix">): Run {
  const next = withStep(run, key, { ...step, fixed: attempt });
  return { ...(changed ? voided(next, step.n) : next), spent: withUse(run.spent, { ms }, undefined) };
}

function withStep(run: Run, key: string, step: StepRun): Run {
  return { ...run, steps: put(run.steps, key, step) };
}

/** Only one pass of a step at a time. */
function begin(run: Run, record: BeginRecord & Pick<Stamp, "t">): Run {
  const { step: key, n, attempt, model, session, process, ceiling, worktree, token, t: at } = record;
  const step = own(run.steps, key) ?? newStep(n);
  if (step.status === "running" || attempt !== step.attempt + 1) return run;
  const begun: Begun = { attempt, token, at, ...known({ session, process, ceiling, worktree }) };
  const steps = put(run.steps, key, { ...step, status: "running", attempt, begun, ...known({ model }) });
  const agents = run.spent.agents + (session === undefined ? 0 : 1);
  return { ...run, steps, spent: { ...run.spent, agents } };
}

export function newStep(n: number): StepRun {
  return { n, status: "open", attempt: 0, failures: 0, onModel: 0, lost: 0, evidence: [], ms: 0 };
}

function inStep(run: Run, key: string, n: number, change: (step: StepRun) => StepRun): Run {
  return { ...run, steps: put(run.steps, key, change(own(run.steps, key) ?? newStep(n))) };
}

function priced(step: Omit<StepRun, "begun">, { usd, ms }: Used): StepRun {
  return { ...step, ms: step.ms + ms, ...known({ price: usd }) };
}

/** A pass whose cost nobody knows counts by its ceiling. Without an agent there is nothing to pay. */
function withUse(spent: Spent, { usd, tokens = 0, ms }: Used, begun: Begun | undefined): Spent {
  const { ceiling, session } = begun ?? {};
  const isUnknown = session !== undefined && usd === undefined;
  return {
    ...spent,
    usd: spent.usd + (usd ?? 0),
    assumed: spent.assumed + (isUnknown ? (ceiling ?? 0) : 0),
    unknown: spent.unknown + (isUnknown && ceiling === undefined ? 1 : 0),
    tokens: spent.tokens + tokens,
    ms: spent.ms + ms,
  };
}

/** The number of attempts goes on, so that no result of an earlier one is overwritten. */
function opened(run: Run, isReset: (step: StepRun) => boolean): Run {
  const steps = Object.entries(run.steps).map(([key, step]): [string, StepRun] => {
    if (!isReset(step) || step.begun) return [key, step];
    const { n, attempt, ms, model, price, failures, onModel, last, fixed } = step;
    const kept = { ...newStep(n), ...known({ model, price, last, fixed }), attempt, ms, failures, onModel };
    return [key, kept];
  });
  return { ...run, steps: Object.fromEntries(steps) };
}

/** Evidence that was found before the files changed says nothing about them. */
function voided(run: Run, but: number): Run {
  const steps = Object.entries(run.steps).map(([key, step]): [string, StepRun] =>
    step.n !== but && step.status === "done" && step.evidence.length > 0
      ? [key, { ...step, isVoid: true }]
      : [key, step],
  );
  return { ...run, steps: Object.fromEntries(steps) };
}

function withWorktree(run: Run, record: StepRecord & { readonly do: "worktree" }): Run {
  const { path, is, step, attempt, why } = record;
  if (is !== "removed") return { ...run, worktrees: put(run.worktrees, path, { step, attempt, ...known({ why }) }) };
  const { [path]: _, ...rest } = run.worktrees;
  return { ...run, worktrees: rest };
}

/** Without the fields that are undefined. */
function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
