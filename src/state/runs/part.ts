/** The part `runs`: the runs of pipelines. Only their records are folded, so no other event pays for them. */
import { bounded, own } from "../../lib/keyed.ts";
import type { Part, PartRecord } from "../part.ts";
import type { Stamp } from "../record.ts";
import type { RunRecord } from "./records.ts";
import { begunRun, type Run, reduceRun } from "./run.ts";

/** By id. */
export type Runs = Readonly<Record<string, Run>>;

const RUNS_MAX = 50;
/** A run that has not ended is kept longer than any that has. */
const OPEN_MS = 10 * 365 * 24 * 3600 * 1000;

export const runs: Part<Runs> = {
  kinds: ["run"],
  empty: {},
  fold(value: Runs, record: PartRecord): Runs {
    const told = record as unknown as RunRecord & Stamp;
    const known = own(value, told.run);
    const next = known ? reduceRun(known, told) : told.do === "start" ? begunRun(told, told.t) : undefined;
    if (!next || next === known) return value;
    return bounded(value, told.run, next, RUNS_MAX, ({ at, ended }) => (ended ? at : at + OPEN_MS));
  },
};
