import { describe, expect, it } from "vitest";
import type { CheckedTree } from "../../evidence/tree.ts";
import { historyKey } from "../../state/session/checks.ts";
import { type Mode, STALE_MS } from "../../state/session/modes.ts";
import type { Session } from "../../state/session/session.ts";
import { describePolicy } from "../describe-policy.ts";
import { exampleMode, PLACE } from "../example.ts";
import { changedTree, having, npmTest, resultOf, worker } from "../proof/example-work.ts";
import { atStop, inMode, stop, working } from "./example-stops.ts";
import { requireQa } from "./require-qa.ts";

const COMPLETE = "Checked. <promise>QA_COMPLETE</promise>";
const mode = { ...exampleMode, max: 10 };
const qa = (more: Partial<Mode> = {}, session: Session = worker): Session => ({
  ...session,
  modes: { qa: { ...mode, ...more } },
});
const passed = having(resultOf("passed"));
const failed = having(resultOf("failed"));
const checkedTrees = [changedTree];
const at = (session: Session, given = {}, more = {}) => atStop([requireQa], session, { checkedTrees, ...given }, more);

describePolicy(requireQa, ({ denies, passes }) => {
  denies("TS-34 MD-60 nothing was run yet", stop, { session: qa(), checkedTrees });
  denies("TS-34 MD-60 a check fails", stop, { session: qa({}, failed), checkedTrees });
  passes("TS-34 MD-60 all_passing: all checks pass", stop, { session: qa({}, passed), checkedTrees });
  denies("MD-60 they passed before the last change", stop, {
    session: qa({}, having(resultOf("passed", { files: "f-0" }))),
    checkedTrees,
  });
  denies("MD-60 one of two passes", stop, {
    session: qa({}, passed),
    checkedTrees: [{ ...changedTree, checks: [npmTest, { ...npmTest, name: "lint", command: "npm run lint" }] }],
  });
  denies(
    "MD-67 its word is worth nothing where there are checks",
    { ...stop, lastMessage: COMPLETE },
    {
      session: qa(),
      checkedTrees,
    },
  );
  denies("MD-67 nor is what was printed", stop, {
    session: qa({}, failed),
    checkedTrees,
    toldResults: { analyse: "passed", test: "passed" },
  });
  passes("TS-34 MD-50 no mode", stop, { session: failed, checkedTrees });
  passes(
    "MD-50 the context is full, or the person has ended it",
    { ...stop, mustYield: true },
    {
      session: qa(),
      checkedTrees,
    },
  );
  denies(
    "MD-53 the client says that a hook has kept it going",
    { ...stop, continued: true },
    {
      session: qa(),
      checkedTrees,
    },
  );
  passes("TS-34 MD-60 it has refused as often as it may", stop, { session: qa({ count: 10 }), checkedTrees });
  denies("MD-60 once less", stop, { session: qa({ count: 9 }), checkedTrees });
  passes("it is paused", stop, { session: qa({ paused: "x" }), checkedTrees });
  passes("ST-9 a day and a second old", stop, { session: qa(), checkedTrees, now: STALE_MS + 1_000 });
  passes("it waits for a command", { ...stop, backgroundTasks: 1 }, { session: qa(), checkedTrees });
  passes("it waits for its alarm", { ...stop, wakeUps: 1 }, { session: qa(), checkedTrees });

  // A project without known checks.
  const blind = inMode({ qa: mode });
  denies("nothing is known", stop, { session: blind });
  passes("TS-34 MD-60 done: the marker", { ...stop, lastMessage: COMPLETE }, { session: blind });
  denies("another marker", { ...stop, lastMessage: "<promise>DONE</promise>" }, { session: blind });
  passes("MD-60 MD-67 tools have printed that both pass", stop, {
    session: blind,
    toldResults: { analyse: "passed", test: "passed" },
  });
  denies("MD-60 one of the two only", stop, { session: blind, toldResults: { analyse: "passed", test: "unknown" } });
  denies(
    "MD-67 its word against what a tool has printed",
    { ...stop, lastMessage: COMPLETE },
    {
      session: blind,
      toldResults: { analyse: "passed", test: "failed" },
    },
  );
  passes("MD-60 it has refused as often as it may, and nothing is known", stop, {
    session: inMode({ qa: { ...mode, count: 10 } }),
  });
  passes("its word of an earlier end", stop, { session: inMode({ qa: { ...mode, promised: true } }) });
});

describe("QA mode at a Stop", () => {
  it("MD-60 every refusal counts, and the last ten check results are kept", () => {
    let session = qa({ max: 60, errors: Array.from({ length: 10 }, (_, round) => `test:${round}`) }, failed);
    const { session: next } = at(session);
    expect(next.modes?.qa?.count).toBe(1);
    expect(next.modes?.qa?.errors).toHaveLength(10);
    expect(next.modes?.qa?.errors?.at(-1)).toBe("test:false");
    session = qa();
    expect(at(session).session.modes?.qa).not.toHaveProperty("errors");
  });

  it("MD-60 the message: each check, the commands in order, and the last failure", () => {
    const lint = { ...npmTest, name: "lint", command: "npm run lint" } as const;
    const two: CheckedTree = { ...changedTree, checks: [npmTest, lint], definitions: { test: "d-1", lint: "d-1" } };
    const { said } = at(qa({ count: 2, errors: ["lint:null,test:false"] }, failed), { checkedTrees: [two] });
    expect(said).toContain("QA mode 3/10: lint: not run on the files as they are; test: FAIL.");
    // Same as now, so not repeated.
    expect(said).not.toContain("Last time");
    const before = at(qa({ errors: ["lint:false,test:null"] }, failed), { checkedTrees: [two] }).said;
    expect(before).toContain("Last time: lint: FAIL; test: not run on the files as they are.");
    expect(at(qa({ errors: ["odd"] }), { checkedTrees: [two] }).said).toContain("Last time: odd.");
    expect(at(qa({}), { checkedTrees: [two] }).said).toContain("lint, test: not run on the files as they are.");
    expect(said).toContain("in this order: `npm run lint`, `npm test`");
    const half = having(resultOf("passed", { check: "lint" }), "lint");
    expect(at(qa({}, half), { checkedTrees: [two] }).said).toContain("lint: PASS; test: not run");
  });

  it("MD-60 printed results are kept the same way, once one of the two has failed", () => {
    const blind = inMode({ qa: mode });
    const kept = (analyse: string, test: string) =>
      atStop([requireQa], blind, { toldResults: { analyse, test } } as object).session.modes?.qa?.errors;
    expect(kept("passed", "failed")).toEqual(["analyze:true,test:false"]);
    expect(kept("failed", "unknown")).toEqual(["analyze:false,test:null"]);
    expect(kept("unknown", "unknown")).toBeUndefined();
  });

  it("MD-60 without known checks the message names the marker", () => {
    const { said } = atStop([requireQa], inMode({ qa: mode }));
    expect(said).toContain("names no checks");
    expect(said).toContain("<promise>QA_COMPLETE</promise>");
  });

  it("TS-34 MD-60 a completed or spent mode ends, and the person is told which", () => {
    const done = at(qa({ count: 2 }, passed));
    expect(done.session.modes).toBeUndefined();
    expect(done.told).toEqual(["QA mode is done; the agent was told to continue 2 times"]);
    const spent = at(qa({ count: 10 }));
    expect(spent.session.modes).toBeUndefined();
    expect(spent.told).toEqual([expect.stringContaining("it has refused 10 times")]);
  });

  it("TS-34 MD-55 if the same check fails three times, one refusal asks for the cause, then the mode ends", () => {
    let session = qa({}, failed);
    const said: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const ended = at(session);
      said.push(ended.said);
      session = working(ended.session);
    }
    expect(said.map((words) => words.includes("failed three times (test: FAIL)"))).toEqual([false, false, true]);
    const last = at(session);
    expect(last.verdict.changes).toEqual([{ record: "mode", do: "stop", mode: "qa", why: "stuck" }]);
    expect(last.session.modes).toBeUndefined();
  });

  it("MD-55 a check that passed in between starts a new count", () => {
    const lint = { ...npmTest, name: "lint", command: "npm run lint" } as const;
    const two: CheckedTree = { ...changedTree, checks: [npmTest, lint], definitions: { test: "d-1", lint: "d-1" } };
    const key = (check: "lint" | "test"): string => historyKey(PLACE, check);
    const bad = (check: "lint" | "test") => ({ whole: resultOf("failed", { check }) });
    const good = (check: "lint" | "test") => ({ whole: resultOf("passed", { check }) });
    const rounds = [
      { [key("lint")]: bad("lint"), [key("test")]: good("test") },
      { [key("lint")]: good("lint"), [key("test")]: bad("test") },
      { [key("lint")]: bad("lint"), [key("test")]: good("test") },
      { [key("lint")]: good("lint"), [key("test")]: bad("test") },
    ];
    let session = qa();
    for (const checks of rounds) {
      const { verdict, said, session: next } = at({ ...session, checks }, { checkedTrees: [two] });
      expect(verdict.decision).toBe("deny");
      expect(said).not.toContain("three times");
      session = working(next);
    }
  });

  it("MD-55 checks that pass after the analysis end the mode as done", () => {
    const { session, verdict } = at(qa({ analysed: true, count: 3 }, passed));
    expect(verdict.changes).toEqual([{ record: "mode", do: "stop", mode: "qa", why: "done" }]);
    expect(session.modes).toBeUndefined();
  });
});
