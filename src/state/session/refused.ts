/** Refused effects and written files of a session, so that the same effect is recognized when tried another way. */

/** A refused effect, identified independently of the way it was tried. */
export interface RefusedEffect {
  /** `run`: a command without a path of its own, such as `git reset --hard`. */
  readonly kind: "write" | "delete" | "read" | "meta" | "run";
  /** The resolved path, or the words of the command. */
  readonly what: string;
  /** The tool or command that tried it. */
  readonly by: string;
  readonly policy: string;
  /** No grant lifts it. */
  readonly floor?: true;
}

export interface Refused extends RefusedEffect {
  /** Id of the refusal's record. */
  readonly rid: string;
  readonly at: number;
}

export type MemoryChange =
  | { readonly record: "session"; readonly do: "refuse"; readonly effects: readonly RefusedEffect[] }
  | { readonly record: "session"; readonly do: "write"; readonly paths: readonly string[] };

/** The part of a session that this file handles. */
export interface Memory {
  readonly refused?: readonly Refused[];
  /** Resolved paths of files and directories that tools of this session tried to write. */
  readonly written?: readonly string[];
  /** When each of them was last written, in the same order. Shorter in a session that an earlier version began. */
  readonly writtenAt?: readonly number[];
}

/** Keep the state small whatever the agent does; the oldest entry goes first. */
export const REFUSED_MAX = 30;
export const WRITTEN_MAX = 60;
const RESTING_MAX = 5;

/** Changes say what was tried; whether it was denied or passed is known only here, from the verdict. */
export function remembered<M extends Memory>(
  memory: M,
  changes: readonly { readonly record: string }[],
  { rid, at, decision }: { readonly rid: string; readonly at: number; readonly decision: string },
): M {
  return changes.filter(isMemory).reduce((next, change) => {
    if (change.do === "refuse") {
      return decision === "deny"
        ? withRefused(
            next,
            change.effects.map((effect) => ({ ...effect, rid, at })),
          )
        : next;
    }
    return decision === "deny" ? next : withWritten(next, change.paths, decision === "pass", at);
  }, memory);
}

/** A change of another shape is ignored. */
function isMemory(change: { readonly record: string }): change is MemoryChange {
  const { record, do: verb, effects, paths } = change as Partial<Record<string, unknown>>;
  return (
    record === "session" &&
    ((verb === "refuse" && Array.isArray(effects)) || (verb === "write" && Array.isArray(paths)))
  );
}

/** The same effect refused again keeps its first place and time. */
function withRefused<M extends Memory>(memory: M, effects: readonly Refused[]): M {
  const known = memory.refused ?? [];
  const isKnown = (one: Refused): boolean =>
    known.some(({ kind, what, policy }) => kind === one.kind && what === one.what && policy === one.policy);
  return { ...memory, refused: [...known, ...effects.filter((one) => !isKnown(one))].slice(-REFUSED_MAX) };
}

/** An effect that passed is no longer refused. */
function withWritten<M extends Memory>(memory: M, paths: readonly string[], passed: boolean, at: number): M {
  const before = (memory.written ?? []).map((path): readonly [string, number] => [path, writtenAt(memory, path)]);
  const all = [...before.filter(([path]) => !paths.includes(path)), ...paths.map((path) => [path, at] as const)];
  const kept = all.slice(-WRITTEN_MAX);
  const written = kept.map(([path]) => path);
  const refused = passed
    ? memory.refused?.filter(({ kind, what }) => kind === "read" || !paths.includes(what))
    : undefined;
  return { ...memory, written, writtenAt: kept.map(([, time]) => time), ...(refused && { refused }) };
}

/** 0 if it never was, or nobody knows when. */
export function writtenAt({ written = [], writtenAt: times = [] }: Memory, path: string): number {
  const at = written.indexOf(path);
  return at < 0 ? 0 : (times[at - (written.length - times.length)] ?? 0);
}

/** A person granted it, so it is no longer held against other ways either. */
export function forgiven<M extends Memory>(memory: M, rid: string): M {
  if (!memory.refused?.some((one) => one.rid === rid)) return memory;
  return { ...memory, refused: memory.refused.filter((one) => one.rid !== rid) };
}

/** An inactive session keeps only its newest entries, because the whole state is read at every event. */
export function restMemory<M extends Memory>(memory: M): M {
  const { refused, written, writtenAt: times } = memory;
  return {
    ...memory,
    ...(refused && { refused: refused.slice(-RESTING_MAX) }),
    ...(written && { written: written.slice(-RESTING_MAX) }),
    ...(times && { writtenAt: times.slice(-RESTING_MAX) }),
  };
}
