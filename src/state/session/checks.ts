/** Results of a project's checks, from observed exit codes and never from what the agent says. */

import { bounded, own } from "../../lib/keyed.ts";
import type { CheckName } from "../check-names.ts";

/** `changed`: files changed during the run. `redefined`: the check differs from the one the session began with. */
export type CheckOutcome = "passed" | "failed" | "changed" | "redefined" | "partial" | "unproven";

export interface CheckResult {
  readonly check: CheckName;
  /** The work tree in which it ran. */
  readonly root: string;
  readonly outcome: CheckOutcome;
  /** As typed, with secrets masked, and cut. */
  readonly command: string;
  /** Why the line proves nothing, and the form that would. */
  readonly why?: string;
  readonly instead?: string;
  /** What the check stands on and is not as it was when the session began. */
  readonly ground?: string;
  readonly exitCode?: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Digests of the work tree at the end: of all files, and without documents. Empty when unavailable. */
  readonly tree: string;
  readonly files: string;
  /** Digest of the check's definition. */
  readonly definition?: string;
  /** The tool use that ran it, in the session that stores the result; absent when a person ran it. */
  readonly call?: string;
}

/** For one check in one work tree: the last complete run, the last run that counts for less, and what such runs covered. */
export interface CheckHistory {
  readonly whole?: CheckResult;
  readonly other?: CheckResult;
  /** Passed runs on parts of the work tree, all of the same files, oldest first. */
  readonly parts?: readonly CheckedPart[];
}

/** What a passed run looked at, as `evidence/checks/covers.ts` tells it. */
export interface CheckedPart {
  readonly covers: readonly string[];
  readonly files: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export type CheckHistories = Readonly<Record<string, CheckHistory>>;

/** A run at its start: what the line would prove if it succeeds. */
export interface BegunCheck {
  readonly check: CheckName;
  readonly how: "whole" | "partial" | "unproven";
  readonly command: string;
  readonly why?: string;
  readonly instead?: string;
  readonly ground?: string;
  readonly definition?: string;
  readonly redefined?: true;
  /** A command behind a pipe whose exit code may be the line's. */
  readonly behind?: string;
  /** What it looks at; at its end present only if it passed. */
  readonly covers?: readonly string[];
}

/** The checks that an open tool use is running. */
export interface Checking {
  readonly root: string;
  /** Digest of the work tree before the run, without documents; empty when unavailable. */
  readonly files: string;
  /** State of the directories in the search path before the run. */
  readonly searched?: string;
  readonly runs: readonly BegunCheck[];
}

export type CheckChange =
  | ({ readonly record: "check"; readonly do: "begin"; readonly id: string } & Checking)
  /** All results of one tool use, or of one command that a person ran. */
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
  /** The definition of each check when it is first seen. */
  | {
      readonly record: "check";
      readonly do: "define";
      readonly root: string;
      readonly definitions: Definitions;
      readonly named?: NamedChecks;
    };

/** Commands of checks that variables of the host named when the session began. */
export type NamedChecks = Readonly<Partial<Record<CheckName, string>>>;

export type EndedCheck = Omit<BegunCheck, "how" | "redefined" | "behind"> & { readonly outcome: CheckOutcome };

/** `tasks`: all tasks of the project, whose names tell what they check. */
export type Definitions = Readonly<Partial<Record<CheckName | "tasks", string>>>;

/** The ground of a check when a directory in PATH changed while it ran: a program may have been swapped and put back. */
export const SEARCHED = "directories in PATH";

const PARTS_MAX = 6;

/** Room for three work trees with all their checks. */
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
  return runs.reduce((known, { covers, ...run }) => {
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
    const kind = isWhole ? "whole" : "other";
    // A pass may be confirmed late, after the check failed.
    const isLate = (before[kind]?.endedAt ?? 0) > now;
    const parts = partsAfter(before.parts ?? [], { covers, files, startedAt, endedAt: now }, exitCode === 0);
    const { parts: _, ...rest } = isLate ? before : { ...before, [kind]: result };
    const after: CheckHistory = parts.length === 0 ? rest : { ...rest, parts };
    return bounded(known, historyKey(root, check), after, HISTORIES_MAX, lastOf);
  }, histories);
}

/** A run of other files, or one that failed, ends what was covered before. */
function partsAfter(
  before: readonly CheckedPart[],
  { covers, ...ran }: Omit<CheckedPart, "covers"> & { readonly covers: readonly string[] | undefined },
  isPassed: boolean,
): readonly CheckedPart[] {
  if (covers === undefined || ran.files === "") return isPassed ? before : [];
  return [...before.filter(({ files }) => files === ran.files), { covers, ...ran }].slice(-PARTS_MAX);
}

function lastOf({ whole, other }: CheckHistory): number {
  return Math.max(whole?.endedAt ?? 0, other?.endedAt ?? 0);
}
