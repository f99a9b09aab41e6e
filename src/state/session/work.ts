/** Changes of a session by work tree, since the last settled Stop. */
import { bounded, own } from "../../lib/keyed.ts";

export interface Work {
  /** Digest of the code before the first change; empty when unavailable. */
  readonly base: string;
  /** When a tool use that could change files last ended; 0 if none has since the work was settled. */
  readonly touchedAt: number;
  /** A tool use may have made changes and did not only check out committed ones. */
  readonly worked?: true;
  /** When and where a tool last wrote code. */
  readonly codeAt?: number;
  readonly paths: readonly string[];
  /** Number of ended tool uses when a Stop was last refused; a higher number means progress. */
  readonly refusedAfter?: number;
  /** When the end of a turn was last refused for want of a check, or of the skill that replaces checks. */
  readonly asked?: Readonly<Record<string, number>>;
  /** How the last Stop settled the work. */
  readonly settled?: Settled;
}

export interface Settled {
  readonly at: number;
  readonly verified: boolean;
  readonly code: string;
}

export type Works = Readonly<Record<string, Work>>;

/** Possible changes of an open tool use in one work tree. */
interface Place {
  readonly root: string;
  /** The first few code files that it would write or delete, relative to the root. */
  readonly code?: readonly string[];
}

export interface Changing extends Place {
  readonly beside?: readonly Place[];
  /** It only moves committed work. */
  readonly moves?: true;
}

/** With the digest, if it is the first change there. */
type BegunPlace = Place & { readonly base?: string };

export type WorkChange =
  | (BegunPlace & {
      readonly record: "work";
      readonly do: "begin";
      readonly id: string;
      readonly beside?: readonly BegunPlace[];
      readonly moves?: true;
    })
  | {
      readonly record: "work";
      readonly do: "refuse";
      readonly root: string;
      readonly after: number;
      /** The checks that were asked for. */
      readonly asked?: readonly string[];
    }
  | ({ readonly record: "work"; readonly do: "settle"; readonly root: string } & Omit<Settled, "at">);

const ROOTS_MAX = 6;
const PATHS_MAX = 6;

const NOTHING: Work = { base: "", touchedAt: 0, paths: [] };

/** The first change in a work tree records its digest. */
export function beginWork(works: Works, { root, base, beside = [] }: WorkChange & { do: "begin" }): Works {
  return [{ root, base }, ...beside].reduce(
    (known, one) =>
      one.base === undefined || own(known, one.root) ? known : kept(known, one.root, { ...NOTHING, base: one.base }),
    works,
  );
}

/** A tool use that ran or still runs counts as having changed its files, whether it succeeded or not. */
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

/** Only settled work trees are evicted, so that visiting many work trees drops no open work. */
function kept(works: Works, root: string, work: Work): Works {
  const isFull = !own(works, root) && Object.keys(works).length >= ROOTS_MAX;
  if (isFull && Object.values(works).every(({ touchedAt }) => touchedAt > 0)) return works;
  return bounded(works, root, work, ROOTS_MAX, ({ touchedAt }) => touchedAt);
}

export function reduceWork(works: Works, change: Exclude<WorkChange, { do: "begin" }>, now: number): Works {
  const before = own(works, change.root);
  if (!before) return works;
  if (change.do === "refuse") return { ...works, [change.root]: refused(before, change, now) };
  const { verified, code } = change;
  const settled: Settled = { at: now, verified, code };
  const asked = before.asked && { asked: before.asked };
  const base = code === "" ? before.base : code;
  return { ...works, [change.root]: { base, touchedAt: 0, paths: [], settled, ...asked } };
}

function refused(before: Work, { after, asked = [] }: WorkChange & { readonly do: "refuse" }, now: number): Work {
  const known = { ...before.asked, ...Object.fromEntries(asked.map((name) => [name, now])) };
  return { ...before, refusedAfter: after, ...(Object.keys(known).length > 0 && { asked: known }) };
}
