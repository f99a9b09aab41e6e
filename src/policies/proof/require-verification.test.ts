import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { historyKey } from "../../state/session/checks.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import type { Work } from "../../state/session/work.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { changedTree, having, npmTest, owing, resultOf, worker } from "./example-work.ts";
import { requireVerification } from "./require-verification.ts";

const stop = { name: "Stop", continued: false, backgroundTasks: 0 } as const;
const again = { ...stop, continued: true };

function verdict(given: Gathered, when: Parameters<typeof verdictOf>[1] = stop) {
  return verdictOf(requireVerification, when, given);
}

/** Counts the refusals until Stop passes; `between` is applied to the session after each refusal. */
function refusals(
  session: Session,
  between: (session: Session, count: number) => Session = (one) => one,
  settings: Settings = defaultSettings,
): number {
  let now = session;
  for (let count = 0; count < 20; count += 1) {
    const given = { session: now, checkedTrees: [changedTree], settings };
    const { decision, changes } = verdict(given, count === 0 ? stop : again);
    if (decision === "pass") return count;
    now = between(
      changes.reduce((next, change) => reduceSession(next, change, 2_000 + count), now),
      count,
    );
  }
  return Number.POSITIVE_INFINITY;
}

const blocking: Settings = { ...defaultSettings, verify: { ...defaultSettings.verify, stop: "block" } };

const trying = (session: Session): Session => ({
  ...session,
  outcomes: { ...session.outcomes, failure: session.outcomes.failure + 1 },
});

describePolicy(requireVerification, ({ passes, denies }) => {
  passes("TS-21 GT-20 no code was changed", stop, { checkedTrees: [] });
  passes("TS-21 GT-24 documents only", stop, {
    session: { ...worker, work: { [changedTree.root]: { base: "now", touchedAt: 500, worked: true, paths: [] } } },
    checkedTrees: [changedTree],
  });
  denies("TS-21 GT-20 code without verification", stop, owing("missing"));
  passes("TS-21 GT-20 code with verification", stop, owing("passed"));
  denies("TS-21 an unrelated check proves nothing", stop, {
    ...owing("missing"),
    session: having(resultOf("passed", { check: "lint" }), "lint"),
  });
  denies("GT-23 verification before the last change", stop, owing("passed", { files: "f-0" }));
  denies("the test did not pass", stop, owing("failed"));
  denies("a part of it that failed", stop, owing("partial", { exitCode: 1 }));
  denies("a line that proves nothing", stop, owing("unproven", { why: "or" }));
  passes(
    "background work is running: it is not asked whether it is done",
    { ...stop, backgroundTasks: 1 },
    owing("missing"),
  );
  passes("it is only told", stop, {
    ...owing("missing"),
    settings: { ...defaultSettings, verify: { ...defaultSettings.verify, stop: "warn" } },
  });
  passes("it is switched off", stop, {
    ...owing("missing"),
    settings: { ...defaultSettings, verify: { ...defaultSettings.verify, stop: "off" } },
  });
  passes("the project has no checks", stop, {
    session: { ...worker, defined: {} },
    checkedTrees: [{ ...changedTree, checks: [], definitions: {} }],
  });
});

describe("number of refusals at Stop", () => {
  it("GT-22 refuses once when the agent tries nothing in between", () => expect(refusals(worker)).toBe(1));

  it("asks once for a check that is missing, whatever else the agent does", () =>
    expect(refusals(worker, trying)).toBe(1));

  it("with `block` it refuses at most five times when the agent keeps trying", () =>
    expect(refusals(worker, trying, blocking)).toBe(5));

  it("asks again after the check ran, five times at most", () => {
    const failing = (session: Session, count: number): Session => ({
      ...trying(session),
      checks: having(resultOf("failed", { endedAt: 2_001 + count })).checks ?? {},
    });
    expect(refusals(worker, failing)).toBe(5);
  });

  it("asks once about a run that does not count, however often it is repeated", () => {
    const hidden = (session: Session, count: number): Session => ({
      ...trying(session),
      checks: having(resultOf("unproven", { why: "or", endedAt: 2_001 + count })).checks ?? {},
    });
    expect(refusals(worker, hidden)).toBe(2);
  });

  it("does not ask for the same check in a later turn either, unless it ran in between", () => {
    const asked = verdict({ session: worker, checkedTrees: [changedTree] }).changes;
    const ended = asked.reduce((next, change) => reduceSession(next, change, 2_000), worker);
    const settled = reduceSession(
      ended,
      { record: "work", do: "settle", root: changedTree.root, verified: false, code: "then" },
      2_100,
    );
    const work = { ...(settled.work?.[changedTree.root] as Work), touchedAt: 2_200, worked: true as const };
    const later: Session = { ...settled, refusals: {}, work: { [changedTree.root]: work } };
    const given = { session: later, checkedTrees: [changedTree] };
    expect(verdict(given).decision).toBe("pass");
    expect(verdict(given).notices[0]?.en).toContain("unverified");
    const { checks = {} } = having(resultOf("passed", { endedAt: 2_150, files: "f-0" }));
    expect(verdict({ ...given, session: { ...later, checks } }).decision).toBe("deny");
  });

  it("does not ask for lint where the tests were asked for in vain, unless lint fails", () => {
    const lint = { ...npmTest, name: "lint", command: "npm run lint", script: "lint" } as const;
    const tree = { ...changedTree, checks: [npmTest, lint], definitions: { ...changedTree.definitions, lint: "l" } };
    const ranLint = (outcome: "passed" | "failed", files: string, asked: Readonly<Record<string, number>>) => {
      const work = { ...(worker.work?.[changedTree.root] as Work), asked };
      const { checks = {} } = having(resultOf(outcome, { check: "lint", endedAt: 1_900, files }), "lint");
      return verdict({ session: { ...worker, checks, work: { [tree.root]: work } }, checkedTrees: [tree] });
    };
    expect(ranLint("passed", "f-0", { test: 1_500 }).decision).toBe("pass");
    expect(ranLint("passed", "f-0", { test: 1_500 }).notices[0]?.en).toContain("unverified");
    expect(ranLint("failed", "f-1", { test: 1_500 }).objections[0]?.what.en).toContain("lint did not pass");
    expect(ranLint("passed", "f-0", { build: 1_500 }).decision).toBe("deny");
  });

  it("passed runs on parts are enough if they looked at everything that was changed", () => {
    const part = { covers: ["src/"], files: "f-1", startedAt: 600, endedAt: 700 };
    const session = { ...worker, checks: { [historyKey(changedTree.root, "test")]: { parts: [part] } } };
    const tree = (changed: readonly string[]) => ({
      ...changedTree,
      digest: { tree: "t-1", files: "f-1", code: "now", changed },
    });
    const decision = (changed: readonly string[], settings: Settings = defaultSettings) =>
      verdict({ session, checkedTrees: [tree(changed)], settings }).decision;
    expect(decision(["src/a.ts", "src/b/c.ts"])).toBe("pass");
    expect(decision(["src/a.ts", "lib/d.ts"])).toBe("deny");
    expect(decision(["src/a.ts"], blocking)).toBe("deny");
    const { changes } = verdict({ session, checkedTrees: [tree(["src/a.ts"])] });
    expect(changes).toMatchObject([{ do: "settle", verified: false }]);
    expect(verdict({ session, checkedTrees: [changedTree] }).decision).toBe("deny");
  });

  it("files that a check does not look at need no run of it", () => {
    const tree = { ...changedTree, concerned: { test: [] } };
    expect(verdict({ session: worker, checkedTrees: [tree] }).decision).toBe("pass");
    expect(verdict({ session: worker, checkedTrees: [tree], settings: blocking }).decision).toBe("deny");
    const failed = having(resultOf("failed"));
    expect(verdict({ session: failed, checkedTrees: [tree] }).decision).toBe("deny");
  });

  it("tested code need not wait for the other checks, unless one of them failed", () => {
    const lint = { name: "lint", command: "eslint .", definition: "eslint .", source: "package.json" } as const;
    const tree = { ...changedTree, checks: [...changedTree.checks, lint] };
    const tested = having(resultOf("passed"));
    expect(verdict({ session: tested, checkedTrees: [tree] }).decision).toBe("pass");
    expect(verdict({ session: tested, checkedTrees: [tree], settings: blocking }).decision).toBe("deny");
    expect(verdict({ session: worker, checkedTrees: [tree] }).decision).toBe("deny");
    const { checks = {} } = having(resultOf("failed", { check: "lint" }), "lint");
    const both = { ...tested, checks: { ...tested.checks, ...checks } };
    expect(verdict({ session: both, checkedTrees: [tree] }).decision).toBe("deny");
    const untestable = { ...tree, concerned: { test: [] } };
    expect(verdict({ session: worker, checkedTrees: [untestable] }).decision).toBe("deny");
  });

  it("a check that ran on a part is not asked for again if it passed", () => {
    const { decision, notices } = verdict(owing("partial", { exitCode: 0 }));
    expect(decision).toBe("pass");
    expect(notices[0]?.en).toMatch(/unverified.*only in part/);
    expect(verdict(owing("partial", { exitCode: 1 })).decision).toBe("deny");
    expect(verdict(owing("partial", { exitCode: 0, files: "f-0" })).decision).toBe("deny");
    expect(verdict({ ...owing("partial"), settings: blocking }).decision).toBe("deny");
  });

  it("a check behind a pipe is not asked for again, but it is not verified and the person is told", () => {
    const { decision, notices, changes } = verdict(owing("unproven", { why: "pipe", exitCode: 0 }));
    expect(decision).toBe("pass");
    expect(notices[0]?.en).toMatch(/unverified.*pipe/);
    expect(changes).toMatchObject([{ do: "settle", verified: false }]);
    expect(verdict(owing("unproven", { why: "pipe", exitCode: 1 })).decision).toBe("deny");
    expect(verdict({ ...owing("unproven", { why: "pipe" }), settings: blocking }).decision).toBe("deny");
  });

  it("a reported pass is not asked for again where the host keeps no transcript, and is not verified", () => {
    const { command, check, ...result } = resultOf("passed");
    const change = {
      record: "check",
      do: "end",
      id: "call-0",
      ...result,
      runs: [{ check, command, outcome: "passed" }],
    };
    const awaited = { at: 700, awaits: { call: "call-0" }, change };
    const session: Session = { ...worker, awaiting: [awaited] };
    const silent = verdict({ session, checkedTrees: [changedTree] });
    expect(silent).toMatchObject({ decision: "pass", changes: [{ do: "settle", verified: false }] });
    const recorded = { ...session, transcript: "/t.jsonl" };
    expect(verdict({ session: recorded, checkedTrees: [changedTree] }).decision).toBe("deny");
    expect(verdict({ session, checkedTrees: [changedTree], settings: blocking }).decision).toBe("deny");
  });

  it("a failure is not held against the turn once a pass was reported after it, and only then", () => {
    const passed = (at: number): Session => {
      const { command, check, ...result } = resultOf("passed");
      const change = {
        ...{ record: "check", do: "end", id: "call-1", ...result },
        runs: [{ check, command, outcome: "passed" }],
      };
      return { ...having(resultOf("failed")), awaiting: [{ at, awaits: { call: "call-1" }, change }] };
    };
    expect(verdict({ session: passed(800), checkedTrees: [changedTree] }).decision).toBe("pass");
    expect(verdict({ session: passed(600), checkedTrees: [changedTree] }).decision).toBe("deny");
    expect(verdict({ session: passed(800), checkedTrees: [changedTree], settings: blocking }).decision).toBe("deny");
  });

  it("TS-21 GT-20 passes with the active flag once the budget is spent", () => {
    const spent: Session = { ...worker, refusals: { "require-verification": 5 } };
    expect(verdict({ session: spent, checkedTrees: [changedTree] }, again).decision).toBe("pass");
  });

  it("GT-21 GT-22 the active flag alone does not pass while there is budget and progress", () => {
    const { decision } = verdict({ session: worker, checkedTrees: [changedTree] }, again);
    expect(decision).toBe("deny");
  });

  it("TS-21 never refuses when the facts cannot be read", () => {
    const unread = { unknown: "the journal cannot be read" };
    expect(verdict({ session: unread, checkedTrees: [changedTree] }).decision).toBe("pass");
    expect(verdict({ session: worker, checkedTrees: unread }).decision).toBe("pass");
  });

  it("tells the person when it gives up, and records the work as settled but unverified", () => {
    const spent: Session = { ...worker, refusals: { "require-verification": 5 } };
    const { notices, changes } = verdict({ session: spent, checkedTrees: [changedTree] });
    expect(notices[0]?.en).toContain("unverified");
    const after = changes.reduce((next, change) => reduceSession(next, change, 2_000), spent);
    expect(after.work?.[changedTree.root]).toMatchObject({ base: "now", touchedAt: 0, settled: { verified: false } });
  });
});

describe("message", () => {
  const words = (given: Gathered) => {
    const [objection] = verdict(given).objections;
    return `${objection?.what.en} ${objection?.fix.en}`;
  };

  it("TS-21 the message names the check, the files and the exact command", () => {
    const said = words(owing("missing"));
    expect(said).toContain("test has not run");
    expect(said).toContain("src/a.ts");
    expect(said).toContain("`npm test`");
  });

  it.each([
    ["failed", "did not pass (exit code 1)"],
    ["changed", "files changed while test ran"],
    ["redefined", "sekisho verify"],
    ["partial", "only in part"],
  ] as const)("the message fits a check that ended as %s", (outcome, expected) =>
    expect(words({ ...owing(outcome), settings: blocking })).toContain(expected),
  );

  it("for a missing program the message says to install it or set verify.commands", () => {
    expect(words(owing("failed", { exitCode: 127 }))).toMatch(/not found: install it, or .*`verify\.commands`/);
    expect(words(owing("failed"))).not.toContain("verify.commands");
  });

  it("for a pipe the message gives the form that counts", () => {
    const run = { why: "pipe", command: "npm test | tail", instead: "set -o pipefail; npm test | tail" } as const;
    const said = words({ ...owing("unproven", run), settings: blocking });
    expect(said).toContain("pipefail");
    expect(said).toContain("`set -o pipefail; npm test | tail`");
  });

  it("the message exists in Japanese", () => {
    const [objection] = verdict(owing("missing")).objections;
    expect(objection?.what.ja).toContain("実行されていません");
    expect(objection?.fix.ja).toContain("`npm test`");
  });
});
