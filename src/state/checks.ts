/** How the checks of a project went: from exit codes that were seen, never from what was said of them. */
import type { CheckName } from "./check-names.ts";
import { bounded, own } from "./keyed.ts";

/** `changed`: files changed while it ran. `redefined`: it is another check than the one the session began with. */
export type CheckOutcome = "passed" | "failed" | "changed" | "redefined" | "partial" | "unproven";

export interface CheckResult {
  readonly check: CheckName;
  /** The work tree it ran in. */
  readonly root: string;
  readonly outcome: CheckOutcome;
  /** As it was typed, masked and cut. */
  readonly command: string;
  /** Why the line proves nothing, and how it would. */
  readonly why?: string;
  readonly instead?: string;
  readonly exitCode?: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Digests of the work tree when it ended: of everything, and of what is no document. Empty when they could not be had. */
  readonly tree: string;
  readonly files: string;
  /** What the check was made of. */
  readonly definition?: string;
  /** The tool use it was, in whose session it stands; without one a person has run it. */
  readonly call?: string;
}

/** Of one check in one work tree: how it last ran whole, and how something like it last ran that counts for less. */
export interface CheckHistory {
  readonly whole?: CheckResult;
  readonly other?: CheckResult;
}

export type CheckHistories = Readonly<Record<string, CheckHistory>>;

/** One run, at its beginning: what the line would prove if it ends well. */
export interface BegunCheck {
  readonly check: CheckName;
  readonly how: "whole" | "partial" | "unproven";
  readonly command: string;
  readonly why?: string;
  readonly instead?: string;
  readonly definition?: string;
  readonly redefined?: true;
}

/** What an open tool use is running. */
export interface Checking {
  readonly root: string;
  /** Digest of the work tree before, documents left out; empty when it could not be had. */
  readonly files: string;
  readonly runs: readonly BegunCheck[];
}

export type CheckChange =
  | ({ readonly record: "check"; readonly do: "begin"; readonly id: string } & Checking)
  /** Of all that one tool use ran, or one command of a person. */
  | {
      readonly record: "check";
      readonly do: "end";
      readonly id?: string;
      readonly root: string;
      readonly startedAt: number;
      readonly tree: string;
      readonly files: string;
      readonly exitCode?: number;
      readonly runs: readonly EndedCheck[];
    }
  /** What each check is made of, where the session begins. */
  | { readonly record: "check"; readonly do: "define"; readonly root: string; readonly definitions: Definitions };

export type EndedCheck = Omit<BegunCheck, "how" | "redefined"> & { readonly outcome: CheckOutcome };

export type Definitions = Readonly<Partial<Record<CheckName, string>>>;

/** Three work trees with all their checks; more than that nobody works in at a time. */
export const HISTORIES_MAX = 15;
export const ROOTS_MAX = 6;

export function historyKey(root: string, check: CheckName): string {
  return `${check} ${root}`;
}

export function historyOf(histories: CheckHistories | undefined, root: string, check: CheckName): CheckHistory {
  return own(histories ?? {}, historyKey(root, check)) ?? {};
}

export function endChecks(
  histories: CheckHistories,
  { id, root, startedAt, tree, files, exitCode, runs }: CheckChange & { readonly do: "end" },
  now: number,
): CheckHistories {
  return runs.reduce((known, run) => {
    const { check } = run;
    const result: CheckResult = {
      ...run,
      root,
      startedAt,
      endedAt: now,
      tree,
      files,
      ...(exitCode !== undefined && { exitCode }),
      ...(id !== undefined && { call: id }),
    };
    const isWhole = run.outcome !== "partial" && run.outcome !== "unproven";
    const before = historyOf(known, root, check);
    const after = isWhole ? { ...before, whole: result } : { ...before, other: result };
    return bounded(known, historyKey(root, check), after, HISTORIES_MAX, lastOf);
  }, histories);
}

function lastOf({ whole, other }: CheckHistory): number {
  return Math.max(whole?.endedAt ?? 0, other?.endedAt ?? 0);
}
