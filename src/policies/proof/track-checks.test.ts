import { describe, expect, it } from "vitest";
import type { BegunCheck } from "../../state/session/checks.ts";
import { newSession } from "../../state/session/session.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { bash, PLACE, using } from "../example.ts";
import { trackChecks } from "./track-checks.ts";

const line = `npm run lint 2>&1 | tail -20; npm run typecheck 2>&1 | tail -20; npm test 2>&1 | tail -30; ${"x".repeat(900)}`;

function begun(...checks: readonly BegunCheck["check"][]): string {
  const checkRuns = checks.map(
    (check): BegunCheck => ({
      check,
      how: "unproven",
      command: line,
      why: "sequence",
      instead: line,
      definition: "d".repeat(24),
    }),
  );
  return JSON.stringify(verdictOf(trackChecks, bash(line), { checkRuns }).changes);
}

it("a record has room for long command lines and many checks", () => {
  expect(begun("lint", "typecheck", "test", "build").length).toBeLessThan(1000);
  expect(begun("test").length).toBeLessThan(500);
});

it("a short command line keeps its corrected form", () => {
  const run: BegunCheck = { check: "test", how: "unproven", command: "npm test", why: "or", instead: "npm test" };
  const changes = verdictOf(trackChecks, bash("npm test || true"), { checkRuns: [run] }).changes;
  expect(changes).toMatchObject([{ runs: [{ instead: "npm test" }] }]);
});

describe("a check in one package of the project", () => {
  const begun: BegunCheck = { check: "test", how: "unproven", why: "elsewhere", command: "pnpm --filter web test" };
  const ended = (run: BegunCheck, name: "PostToolUse" | "PostToolUseFailure") => {
    const check = { root: PLACE, files: "f", runs: [run] };
    const call = { tool: "Bash", at: 1, background: false, check };
    const facts = { ...ordinaryFacts, session: { ...newSession(1), calls: { "call-1": call } } };
    const event = using({ kind: "bash", name: "Bash", command: run.command, background: false }, name);
    return verdictOf(trackChecks, { ...event, exitCode: 1 }, facts).changes[0];
  };
  const outcome = (value: string) => ({ do: "end", runs: [{ outcome: value }] });

  it("is a run on a part if it passed, and nothing more", () => {
    expect(ended({ ...begun, covers: ["apps/web/"] }, "PostToolUse")).toMatchObject(outcome("partial"));
    expect(ended({ ...begun, covers: ["apps/web/"] }, "PostToolUseFailure")).toMatchObject(outcome("unproven"));
    // Outside of the project, or not known where.
    expect(ended(begun, "PostToolUse")).toMatchObject(outcome("unproven"));
  });
});
