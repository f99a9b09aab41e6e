/** What a session has changed, by work tree, since the person last let go of it. */
import { bounded, own } from "./keyed.ts";

export interface Work {
  /** Digest of the code before the first change; empty when it could not be had. */
  readonly base: string;
  /** When something that could change files last ended; 0 when nothing has since the work was settled. */
  readonly touchedAt: number;
  /** When code was last written by a tool that says so, and where. */
  readonly codeAt?: number;
  readonly paths: readonly string[];
  /** How many tool uses had ended when a Stop was last refused: more of them are progress. */
  readonly refusedAfter?: number;
  /** How the last Stop let go of it. */
  readonly settled?: Settled;
}

export interface Settled {
  readonly at: number;
  readonly verified: boolean;
  readonly code: string;
}

export type Works = Readonly<Record<string, Work>>;

/** What an open tool use may change. */
export interface Changing {
  readonly root: string;
  /** Code that it would write or delete, by its name seen from the root; the first few. */
  readonly code?: readonly string[];
}

export type WorkChange =
  | ({ readonly record: "work"; readonly do: "begin"; readonly id: string; readonly base?: string } & Changing)
  | { readonly record: "work"; readonly do: "refuse"; readonly root: string; readonly after: number }
  | ({ readonly record: "work"; readonly do: "settle"; readonly root: string } & Omit<Settled, "at">);

const ROOTS_MAX = 4;
const PATHS_MAX = 6;

const NOTHING: Work = { base: "", touchedAt: 0, paths: [] };

/** The first to change something in a work tree brings its digest along. */
export function beginWork(works: Works, root: string, base: string | undefined, now: number): Works {
  if (base === undefined || own(works, root)) return works;
  return bounded(works, root, { ...NOTHING, base }, ROOTS_MAX, ({ touchedAt }) => touchedAt || now);
}

/** It ran, well or badly: what it may have changed counts as changed. */
export function touch(works: Works, { root, code = [] }: Changing, now: number): Works {
  const before = own(works, root) ?? NOTHING;
  const paths = code.length === 0 ? before.paths : [...new Set([...code, ...before.paths])].slice(0, PATHS_MAX);
  const after = { ...before, touchedAt: now, paths, ...(code.length > 0 && { codeAt: now }) };
  return bounded(works, root, after, ROOTS_MAX, ({ touchedAt }) => touchedAt);
}

export function reduceWork(works: Works, change: Exclude<WorkChange, { do: "begin" }>, now: number): Works {
  const before = own(works, change.root);
  if (!before) return works;
  if (change.do === "refuse") return { ...works, [change.root]: { ...before, refusedAfter: change.after } };
  const { verified, code } = change;
  const settled: Settled = { at: now, verified, code };
  return { ...works, [change.root]: { base: code === "" ? before.base : code, touchedAt: 0, paths: [], settled } };
}
