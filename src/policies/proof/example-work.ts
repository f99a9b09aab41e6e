/** Sample session that has changed code, for examples and tests. */

import type { Check } from "../../evidence/checks/check.ts";
import type { CheckedTree } from "../../evidence/tree.ts";
import type { Gathered } from "../../kernel/facts.ts";
import type { CheckName } from "../../state/check-names.ts";
import { type CheckOutcome, type CheckResult, historyKey } from "../../state/session/checks.ts";
import { EXAMPLE_PROCESS } from "../../state/session/example-session.ts";
import { newSession, type Session } from "../../state/session/session.ts";
import { PLACE } from "../example.ts";

export const npmTest: Check = {
  name: "test",
  command: "npm test",
  script: "test",
  definition: "vitest run",
  source: "package.json",
};

/** The work tree as it is now; its code digest was `before` when the session made its first change. */
export const changedTree: CheckedTree = {
  root: PLACE,
  checks: [npmTest],
  definitions: { test: "d-1" },
  digest: { tree: "t-1", files: "f-1", code: "now" },
};

export const worker: Session = {
  ...newSession(0),
  client: EXAMPLE_PROCESS,
  work: { [PLACE]: { base: "before", touchedAt: 500, worked: true, codeAt: 500, paths: ["src/a.ts"] } },
  defined: { [PLACE]: { test: "d-1" } },
};

export function resultOf(outcome: CheckOutcome, changed: Partial<CheckResult> = {}): CheckResult {
  return {
    check: "test",
    root: PLACE,
    outcome,
    command: "npm test",
    exitCode: outcome === "failed" ? 1 : 0,
    startedAt: 600,
    endedAt: 700,
    tree: "t-1",
    files: "f-1",
    definition: "d-1",
    call: "call-0",
    ...changed,
  };
}

export function having(result: CheckResult, check: CheckName = "test"): Session {
  const isWhole = result.outcome !== "partial" && result.outcome !== "unproven";
  return { ...worker, checks: { [historyKey(PLACE, check)]: isWhole ? { whole: result } : { other: result } } };
}

/** Facts at the session's Stop: the check has not run, or it ended with this outcome. */
export function owing(outcome: CheckOutcome | "missing", changed: Partial<CheckResult> = {}): Gathered {
  const session = outcome === "missing" ? worker : having(resultOf(outcome, changed));
  return { session, checkedTrees: [changedTree] };
}

/** A turn ended without the check it was refused for, and the next one has just changed code. */
export const askedBefore: Session = {
  ...worker,
  work: {
    [PLACE]: {
      base: "now",
      touchedAt: 0,
      paths: [],
      asked: { test: 1_000 },
      settled: { at: 1_100, verified: false, code: "now" },
    },
  },
  calls: { "call-1": { tool: "Write", at: 1_200, background: false, work: { root: PLACE, code: ["src/a.ts"] } } },
};
