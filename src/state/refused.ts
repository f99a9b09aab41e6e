/** What a session was refused, and what it has written: by these an effect is known again when it comes another way. */

/** One effect that was refused, by the name that every way to it shares. */
export interface RefusedEffect {
  /** `run`: a command without a path of its own, such as `git reset --hard`. */
  readonly kind: "write" | "delete" | "read" | "meta" | "run";
  /** The true path, or the words of the command. */
  readonly what: string;
  /** The tool or command by which it was tried. */
  readonly by: string;
  readonly policy: string;
  /** No person's leave opens it. */
  readonly floor?: true;
}

export interface Refused extends RefusedEffect {
  /** The record of the refusal. */
  readonly rid: string;
  readonly at: number;
}

export type MemoryChange =
  | { readonly record: "session"; readonly do: "refuse"; readonly effects: readonly RefusedEffect[] }
  | { readonly record: "session"; readonly do: "write"; readonly paths: readonly string[] };

/** The part of a session that this file is about. */
export interface Memory {
  readonly refused?: readonly Refused[];
  /** True names of files and directories that tools of this session were to write. */
  readonly written?: readonly string[];
}

/** Limits that keep it small whatever the agent does; the oldest goes first. */
export const REFUSED_MAX = 30;
export const WRITTEN_MAX = 60;
const RESTING_MAX = 5;

/** Changes say what was tried; only here, beside the verdict, is it known whether it was refused or let through. */
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
    return decision === "deny" ? next : withWritten(next, change.paths, decision === "pass");
  }, memory);
}

/** Total: a change of another shape is one this version knows nothing of. */
function isMemory(change: { readonly record: string }): change is MemoryChange {
  const { record, do: verb, effects, paths } = change as Partial<Record<string, unknown>>;
  return (
    record === "session" &&
    ((verb === "refuse" && Array.isArray(effects)) || (verb === "write" && Array.isArray(paths)))
  );
}

/** The same effect refused again is the same memory, and keeps its first place and time. */
function withRefused<M extends Memory>(memory: M, effects: readonly Refused[]): M {
  const known = memory.refused ?? [];
  const isKnown = (one: Refused): boolean =>
    known.some(({ kind, what, policy }) => kind === one.kind && what === one.what && policy === one.policy);
  return { ...memory, refused: [...known, ...effects.filter((one) => !isKnown(one))].slice(-REFUSED_MAX) };
}

/** What was let through is no longer refused: its cause is gone. */
function withWritten<M extends Memory>(memory: M, paths: readonly string[], passed: boolean): M {
  const written = [...(memory.written ?? []).filter((path) => !paths.includes(path)), ...paths].slice(-WRITTEN_MAX);
  const refused = passed
    ? memory.refused?.filter(({ kind, what }) => kind === "read" || !paths.includes(what))
    : undefined;
  return { ...memory, written, ...(refused && { refused }) };
}

/** A person has let it pass: from now on it is not held against any other way either. */
export function forgiven<M extends Memory>(memory: M, rid: string): M {
  if (!memory.refused?.some((one) => one.rid === rid)) return memory;
  return { ...memory, refused: memory.refused.filter((one) => one.rid !== rid) };
}

/** Of a session that rests, the newest is enough: what all of them remember is read at every event. */
export function restMemory<M extends Memory>(memory: M): M {
  const { refused, written } = memory;
  return {
    ...memory,
    ...(refused && { refused: refused.slice(-RESTING_MAX) }),
    ...(written && { written: written.slice(-RESTING_MAX) }),
  };
}
