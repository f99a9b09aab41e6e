/** Linters that have not run since files of theirs changed, in one session. */

/** The supported linters, each for its own kinds of files. */
export const LINTERS = ["eslint", "ruff", "shellcheck"] as const;
export type Linter = (typeof LINTERS)[number];

export interface Lint {
  /** Linters whose files changed since their last successful run. */
  readonly due: readonly Linter[];
  /** A running linter; changes made meanwhile are not covered by it. */
  readonly running?: { readonly call: string; readonly linters: readonly Linter[] };
  readonly told?: true;
}

export type LintChange =
  | { readonly record: "session"; readonly do: "lint-due"; readonly linters: readonly Linter[] }
  | {
      readonly record: "session";
      readonly do: "lint-begin";
      readonly call: string;
      readonly linters: readonly Linter[];
    }
  | { readonly record: "session"; readonly do: "lint-pass"; readonly call: string }
  | { readonly record: "session"; readonly do: "lint-told" };

export const newLint: Lint = { due: [] };

export function reduceLint(lint: Lint, change: LintChange): Lint {
  switch (change.do) {
    case "lint-due": {
      const due = LINTERS.filter((linter) => lint.due.includes(linter) || change.linters.includes(linter));
      const { told: _, running, ...rest } = lint;
      const unseen = running?.linters.filter((linter) => !change.linters.includes(linter));
      return { ...rest, due, ...(running && unseen && { running: { ...running, linters: unseen } }) };
    }
    case "lint-begin":
      return { ...lint, running: { call: change.call, linters: change.linters } };
    case "lint-pass": {
      if (lint.running?.call !== change.call) return lint;
      const { running, ...rest } = lint;
      return { ...rest, due: lint.due.filter((linter) => !running.linters.includes(linter)) };
    }
    case "lint-told":
      return { ...lint, told: true };
  }
}
