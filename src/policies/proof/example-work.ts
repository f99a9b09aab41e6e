/** A session that has changed code, for examples and tests. */
import type { Check } from "../../kernel/check.ts";
import type { CheckedTree, Gathered } from "../../kernel/facts.ts";
import type { CheckName } from "../../state/check-names.ts";
import { type CheckOutcome, type CheckResult, historyKey } from "../../state/checks.ts";
import { newSession, type Session } from "../../state/session.ts";
import { PLACE } from "../example.ts";

export const npmTest: Check = {
  name: "test",
  command: "npm test",
  script: "test",
  definition: "vitest run",
  source: "package.json",
};

/** As the work tree stands now; its code was `before` when the session began to change it. */
export const changedTree: CheckedTree = {
  root: PLACE,
  checks: [npmTest],
  definitions: { test: "d-1" },
  digest: { tree: "t-1", files: "f-1", code: "now" },
};

export const worker: Session = {
  ...newSession(0),
  client: { pid: 7, started: "1" },
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

/** The facts of its Stop: no run of the check, or one that ended so. */
export function owing(outcome: CheckOutcome | "missing", changed: Partial<CheckResult> = {}): Gathered {
  const session = outcome === "missing" ? worker : having(resultOf(outcome, changed));
  return { session, checkedTrees: [changedTree] };
}
