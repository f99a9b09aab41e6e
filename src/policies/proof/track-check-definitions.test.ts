import { expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { newSession } from "../../state/session/session.ts";
import { verdictOf } from "../describe-policy.ts";
import { PLACE } from "../example.ts";
import { changedTree, worker } from "./example-work.ts";
import { trackCheckDefinitions } from "./track-check-definitions.ts";

const starting = (given: Gathered) =>
  verdictOf(
    trackCheckDefinitions,
    { name: "SessionStart", source: "startup" },
    { checkedTrees: [changedTree], ...given },
  );

const define = { record: "check", do: "define", root: PLACE, definitions: { test: "d-1" } };

it("remembers what the checks are made of when a session begins, once per session", () => {
  expect(starting({}).changes).toEqual([define]);
  expect(starting({ session: worker }).changes).toEqual([]);
  expect(starting({ checkedTrees: [{ ...changedTree, checks: [] }] }).changes).toEqual([]);
});

it("tells the person which check changed since the last session, with its command", () => {
  const verdict = starting({ knownChecks: { [PLACE]: { test: "d-0" } } });
  expect(verdict.notices.map(({ en }) => en)).toEqual([
    "these checks are not what they were in the last session: test (npm test)",
  ]);
  expect(verdict.changes).toEqual([define]);
});

it("says nothing of a check that is as it was, or that is new", () => {
  expect(starting({ knownChecks: { [PLACE]: { test: "d-1" } } }).notices).toEqual([]);
  expect(starting({ knownChecks: {}, session: newSession(0) }).notices).toEqual([]);
});
