/** What a session has changed, by work tree, since the person last let go of it. */
import { bounded, own } from "./keyed.ts";

export interface Work {
  /** Digest of the code before the first change; empty when it could not be had. */
  readonly base: string;
  /** When something that could change files last ended; 0 when nothing has since the work was settled. */
  readonly touchedAt: number;
  /** Something ran that may have made changes, and not only brought committed ones here. */
  readonly worked?: true;
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

/** What an open tool use may change in one work tree. */
interface Place {
  readonly root: string;
  /** Code that it would write or delete, by its name seen from the root; the first few. */
  readonly code?: readonly string[];
}

export interface Changing extends Place {
  readonly beside?: readonly Place[];
  /** It only brings committed work here or there. */
  readonly moves?: true;
}

/** With its digest, where it is the first to change something there. */
type BegunPlace = Place & { readonly base?: string };

export type WorkChange =
  | (BegunPlace & {
      readonly record: "work";
      readonly do: "begin";
      readonly id: string;
      readonly beside?: readonly BegunPlace[];
      readonly moves?: true;
    })
  | { readonly record: "work"; readonly do: "refuse"; readonly root: string; readonly after: number }
  | ({ readonly record: "work"; readonly do: "settle"; readonly root: string } & Omit<Settled, "at">);

const ROOTS_MAX = 6;
const PATHS_MAX = 6;

const NOTHING: Work = { base: "", touchedAt: 0, paths: [] };

/** The first to change something in a work tree brings its digest along. */
export function beginWork(works: Works, { root, base, beside = [] }: WorkChange & { do: "begin" }): Works {
  return [{ root, base }, ...beside].reduce(
    (known, one) =>
      one.base === undefined || own(known, one.root) ? known : kept(known, one.root, { ...NOTHING, base: one.base }),
    works,
  );
}

/** It ran, well or badly, or runs on: what it may have changed counts as changed. */
export function touch(works: Works, { beside = [], moves, ...itself }: Changing, now: number): Works {
  return [itself, ...beside].reduce((known, place) => touchPlace(known, place, moves === true, now), works);
}

function touchPlace(works: Works, { root, code = [] }: Place, moves: boolean, now: number): Works {
  const before = own(works, root) ?? NOTHING;
  const paths = code.length === 0 ? before.paths : [...new Set([...code, ...before.paths])].slice(0, PATHS_MAX);
  const worked = !moves && { worked: true as const };
  const after = { ...before, touchedAt: now, paths, ...worked, ...(code.length > 0 && { codeAt: now }) };
  return kept(works, root, after);
}

/** Only what owes nothing makes room: whoever goes through many work trees leaves none of them behind. */
function kept(works: Works, root: string, work: Work): Works {
  const isFull = !own(works, root) && Object.keys(works).length >= ROOTS_MAX;
  if (isFull && Object.values(works).every(({ touchedAt }) => touchedAt > 0)) return works;
  return bounded(works, root, work, ROOTS_MAX, ({ touchedAt }) => touchedAt);
}

export function reduceWork(works: Works, change: Exclude<WorkChange, { do: "begin" }>, now: number): Works {
  const before = own(works, change.root);
  if (!before) return works;
  if (change.do === "refuse") return { ...works, [change.root]: { ...before, refusedAfter: change.after } };
  const { verified, code } = change;
  const settled: Settled = { at: now, verified, code };
  return { ...works, [change.root]: { base: code === "" ? before.base : code, touchedAt: 0, paths: [], settled } };
}
