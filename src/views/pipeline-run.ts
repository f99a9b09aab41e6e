/** A run of a pipeline as people and programs see it. */
import type { Run, StepRun } from "../state/runs/run.ts";
import { isoTime } from "./time.ts";

export interface RunView {
  readonly run_id: string;
  readonly pipeline: string;
  readonly tier: string;
  /** `paused`: nobody carries it out, and `sekisho pipeline resume` goes on. `waiting`: a person has to answer first. */
  readonly status: "running" | "waiting" | "paused" | "cancelled" | "passed" | "failed" | "partial";
  readonly current_step: string | null;
  /** Why it waits, or how it ended. */
  readonly why: string | null;
  readonly started_at: string;
  readonly retries: number;
  readonly cost: {
    readonly usd: number;
    readonly assumed_usd: number;
    readonly unknown_passes: number;
    readonly tokens: number;
  };
  readonly agents: number;
  readonly seconds: number;
  readonly limits: Run["limits"];
  readonly base: string;
  readonly snapshot: string | null;
  readonly steps: readonly StepView[];
}

export interface StepView {
  readonly step: string;
  readonly status: StepRun["status"];
  readonly attempts: number;
  readonly model: string | null;
  readonly seconds: number;
  readonly evidence: readonly string[];
  readonly commit: string | null;
  readonly red: string | null;
  readonly approval: string | null;
  readonly problem: string | null;
}

/** `isCarried`: its runner lives. */
export function runView(run: Run, isCarried: boolean): RunView {
  const { id, pipeline, tier, spent, retries, limits, base, snapshot, startedAt, hold, ended, steps } = run;
  const current = Object.entries(steps).find(([, { status }]) => ["running", "asked", "fell"].includes(status));
  const asked = Object.entries(steps).find(([, { status }]) => status === "asked");
  const waits = hold?.why ?? (asked ? `${asked[0]} waits for a person` : null);
  const status = ended
    ? run.cancelled
      ? "cancelled"
      : ended.verdict
    : isCarried
      ? "running"
      : waits
        ? "waiting"
        : "paused";
  return {
    ...{ run_id: id, pipeline, tier, status, current_step: hold?.step ?? current?.[0] ?? null },
    why: ended?.why ?? waits,
    started_at: isoTime(startedAt),
    retries,
    cost: { usd: spent.usd, assumed_usd: spent.assumed, unknown_passes: spent.unknown, tokens: spent.tokens },
    ...{ agents: spent.agents, seconds: Math.round(spent.ms / 100) / 10, limits, base, snapshot: snapshot ?? null },
    steps: Object.entries(steps)
      .sort(([, one], [, other]) => one.n - other.n)
      .map(([step, one]) => stepView(step, one)),
  };
}

function stepView(step: string, one: StepRun): StepView {
  const { status, attempt, model, ms, evidence, commit, red, approval, last } = one;
  return {
    ...{ step, status, attempts: attempt, model: model ?? null, seconds: Math.round(ms / 100) / 10, evidence },
    ...{ commit: commit ?? null, red: red ?? null, approval: approval ?? null },
    problem: status === "done" ? null : (last?.why ?? null),
  };
}
