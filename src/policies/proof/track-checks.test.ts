import { expect, it } from "vitest";
import type { BegunCheck } from "../../state/session/checks.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash } from "../example.ts";
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
