/** What is known on the way through a line whose exit code is asked for its meaning. */
import type { UnknownReason } from "./shell-reading.ts";

/** Why the exit code 0 of a line says nothing about a command on it. */
export type Why =
  | "or"
  | "pipe"
  | "sequence"
  | "background"
  | "negated"
  | "branch"
  | "environment"
  | "unread"
  | "substitution"
  | "elsewhere"
  | "filtered";

/** A simple command, without the wrappers that change neither what it does nor its exit code. */
export interface Step {
  readonly words: readonly string[];
  /** Some of its words are known only to the shell. */
  readonly open: boolean;
  /** Undefined where it cannot be known. */
  readonly cwd: string | undefined;
  /** A virtual environment that was activated before. */
  readonly sourced?: string;
  /** Files that its redirections write, as they are spelled. */
  readonly writes: readonly string[];
  /** Why it proves nothing; undefined when the line's exit code 0 means its own. */
  readonly why?: Why;
}

export interface Standing {
  readonly cwd: string | undefined;
  readonly pipefail: boolean;
  readonly errexit: boolean;
  /** From here on nothing is what it is called, or it may not come to run at all. */
  readonly spoiled?: Why;
  readonly sourced?: string;
}

/** What a part of a line comes to. */
export interface Outcome {
  /** What ran and ended with 0, if the part ended with 0. */
  readonly proved: readonly Step[];
  /** How things stand once it has ended with 0; and whatever it ended with. */
  readonly ok: Standing;
  readonly any: Standing;
  /** It never ends with 0. */
  readonly never: boolean;
  /** When it fails, the whole shell ends with that. */
  readonly leaves: boolean;
}

export interface Sight {
  readonly home: string;
  readonly root: string;
  /** Everything that was seen and is swallowed. */
  readonly lost: Step[];
  /** Errors are already being looked at by somebody else (`A` of `A && B`): `set -e` is not in force there. */
  readonly guarded: boolean;
  readonly depth: number;
  readonly budget: { parsed: number; readonly unknown: Set<UnknownReason> };
}

export function lose(steps: readonly Step[], why: Why, { lost }: Sight): void {
  for (const step of steps) lost.push({ ...step, why });
}

/** What holds on both ways. */
export function either(one: Standing, other: Standing): Standing {
  if (one === other) return one;
  const spoiled = one.spoiled ?? other.spoiled;
  const sourced = one.sourced ?? other.sourced;
  return {
    cwd: one.cwd === other.cwd ? one.cwd : undefined,
    pipefail: one.pipefail && other.pipefail,
    errexit: one.errexit && other.errexit,
    ...(spoiled !== undefined && { spoiled }),
    ...(sourced !== undefined && { sourced }),
  };
}

export function spoil(standing: Standing, why: Why): Standing {
  return standing.spoiled === undefined ? { ...standing, spoiled: why } : standing;
}

/** Something that proves nothing and ends as it may. */
export function quiet(standing: Standing, any: Standing = standing): Outcome {
  return { proved: [], ok: standing, any, never: false, leaves: false };
}

/** `set -e`, where it is in force. */
export function endsShell({ errexit, spoiled }: Standing, { guarded }: Sight): boolean {
  return errexit && !guarded && spoiled === undefined;
}
