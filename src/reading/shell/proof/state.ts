/** The state while walking through a line to find out what its exit code proves. */
import type { UnknownReason } from "../parse/reading.ts";

/** The reason why exit code 0 of a line proves nothing about a command on it. */
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

/** A simple command, without wrappers that keep its effect and its exit code. */
export interface Step {
  readonly words: readonly string[];
  /** Some of the words are known only to the shell. */
  readonly open: boolean;
  /** Undefined if unknown. */
  readonly cwd: string | undefined;
  /** A virtual environment activated earlier. */
  readonly sourced?: string;
  /** Files written by the redirections, as spelled. */
  readonly writes: readonly string[];
  /** The commands that read its output through a pipe; their exit codes are part of the line's. */
  readonly readers?: readonly string[];
  /** Why the step proves nothing; undefined if exit code 0 of the line implies that of the step. */
  readonly why?: Why;
}

export interface ShellState {
  readonly cwd: string | undefined;
  readonly pipefail: boolean;
  readonly errexit: boolean;
  /** From here on a name may mean anything, or the command may not run at all. */
  readonly spoiled?: Why;
  readonly sourced?: string;
}

/** The result of walking through a part of a line. */
export interface PartResult {
  /** The steps that ran and exited with 0, if the part exited with 0. */
  readonly proved: readonly Step[];
  /** `ok`: the standing after exit code 0. `any`: the standing after any exit code. */
  readonly ok: ShellState;
  readonly any: ShellState;
  /** The part never exits with 0. */
  readonly never: boolean;
  /** If the part fails, the whole shell exits with that code. */
  readonly leaves: boolean;
}

export interface Sight {
  readonly home: string;
  readonly root: string;
  /** Every step that was seen but proves nothing. */
  readonly lost: Step[];
  /** The exit code is already checked (`A` of `A && B`), so `set -e` has no effect here. */
  readonly guarded: boolean;
  /** The project wrote this text: its assignments and wrappers are intended. */
  readonly isAuthored: boolean;
  readonly depth: number;
  readonly budget: { parsed: number; readonly unknown: Set<UnknownReason> };
}

export function lose(steps: readonly Step[], why: Why, { lost }: Sight): void {
  for (const step of steps) lost.push({ ...step, why });
}

/** The facts that hold in both states. */
export function either(one: ShellState, other: ShellState): ShellState {
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

export function spoil(standing: ShellState, why: Why): ShellState {
  return standing.spoiled === undefined ? { ...standing, spoiled: why } : standing;
}

/** An outcome that proves nothing and may have any exit code. */
export function quiet(standing: ShellState, any: ShellState = standing): PartResult {
  return { proved: [], ok: standing, any, never: false, leaves: false };
}

/** Whether `set -e` is in effect. */
export function endsShell({ errexit, spoiled }: ShellState, { guarded }: Sight): boolean {
  return errexit && !guarded && spoiled === undefined;
}
