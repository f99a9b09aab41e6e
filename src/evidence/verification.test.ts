import { describe, expect, it } from "vitest";
import { changedTree, having, npmTest, resultOf, worker } from "../policies/proof/example-work.ts";
import { historyKey } from "../state/session/checks.ts";
import { newCoverage } from "../state/session/coverage.ts";
import type { Session } from "../state/session/session.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import type { CheckedTree } from "./tree.ts";
import { isChanged, isVerified, type Known, minutesOf, openChecks, standingsOf } from "./verification.ts";

const { verify } = defaultSettings;

function standing(session: Session, tree: CheckedTree = changedTree, known: Partial<Known> = {}): string {
  const [only] = standingsOf(tree, { session, person: {}, verify, now: 1_000, ...known });
  return only?.standing ?? "none";
}

const MINUTE = 60_000;

describe("the standing of a check", () => {
  it("PL-44 a pass counts while the files are unchanged", () => {
    expect(standing(having(resultOf("passed")))).toBe("passed");
    expect(standing(having(resultOf("passed", { files: "f-0" })))).toBe("stale");
  });

  it("TS-41 PL-40 a pass expires", () => {
    const session = having(resultOf("passed"));
    expect(standing(session, changedTree, { now: 700 + 30 * MINUTE })).toBe("passed");
    expect(standing(session, changedTree, { now: 700 + 30 * MINUTE + 1 })).toBe("expired");
  });

  it("PL-40 each check expires after its default time or the configured one", () => {
    expect(["lint", "typecheck", "test", "build", "security"].map((name) => minutesOf(name as never, verify))).toEqual([
      30, 30, 30, 60, 60,
    ]);
    expect(minutesOf("test", { ...verify, ttl_minutes: ["test=5"] })).toBe(5);
  });

  it("TS-41 PL-41 a change of any file but a document voids a pass", () => {
    const session = having(resultOf("passed"));
    const standingAt = (digest: CheckedTree["digest"]) =>
      standing(session, { ...changedTree, ...(digest && { digest }) });
    expect(standingAt({ tree: "t-2", files: "f-2", code: "now" })).toBe("stale");
    expect(standingAt({ tree: "t-2", files: "f-1", code: "now" })).toBe("passed");
  });

  it("GT-23 TS-22 a run older than the last code write does not count, even if the digest matches", () => {
    const session = having(resultOf("passed"));
    const work = { ...worker.work, [changedTree.root]: { ...worker.work?.[changedTree.root], codeAt: 701 } };
    expect(standing({ ...session, work } as Session)).toBe("stale");
  });

  it("without a digest, any tool call that could change files voids a pass", () => {
    const { digest: _, ...blind } = changedTree;
    const session = having(resultOf("passed", { tree: "", files: "" }));
    expect(standing(session, blind)).toBe("unbound");
    const work = { [changedTree.root]: { base: "", touchedAt: 701, paths: [] } };
    expect(standing({ ...session, work }, blind)).toBe("stale");
  });

  it("a pass without a digest is never verified, and is asked for again where files could be looked at before", () => {
    const { digest: _, ...blind } = changedTree;
    const session = having(resultOf("passed", { tree: "", files: "" }));
    const known = { session, person: {}, verify: defaultSettings.verify, now: 800 };
    expect(isVerified(blind, known)).toBe(false);
    expect(openChecks(blind, known)).toMatchObject([{ standing: "unbound" }]);
    const work = { [changedTree.root]: { base: "", touchedAt: 500, paths: [] } };
    expect(openChecks(blind, { ...known, session: { ...session, work } })).toEqual([]);
    expect(isVerified(blind, { ...known, session: { ...session, work } })).toBe(false);
    expect(openChecks(blind, { ...known, session: having(resultOf("passed")) })).toMatchObject([
      { standing: "unbound" },
    ]);
  });

  it.each(["failed", "changed", "redefined", "partial", "unproven"] as const)(
    "the outcome %s is reported as the standing",
    (outcome) => {
      expect(standing(having(resultOf(outcome)))).toBe(outcome);
    },
  );

  it("a partial run does not void a whole run that still counts", () => {
    const key = historyKey(changedTree.root, "test");
    const checks = { [key]: { whole: resultOf("passed"), other: resultOf("partial", { endedAt: 900 }) } };
    expect(standing({ ...worker, checks })).toBe("passed");
  });

  it("a later failure of the whole check replaces an earlier pass", () => {
    const person = { [historyKey(changedTree.root, "test")]: { whole: resultOf("passed") } };
    const session = having(resultOf("failed", { endedAt: 800 }));
    expect(standing(session, changedTree, { person })).toBe("failed");
    expect(standing(worker, changedTree, { person })).toBe("passed");
  });

  it("a check redefined during the session no longer counts", () => {
    const tree = { ...changedTree, definitions: { test: "d-2" } };
    expect(standing(worker, tree)).toBe("redefined");
    expect(standing(having(resultOf("passed")), tree)).toBe("redefined");
  });

  it("a check that was removed is still required", () => {
    expect(standing(worker, { ...changedTree, checks: [], definitions: {} })).toBe("gone");
    const { defined: _, ...fresh } = worker;
    expect(standing(fresh, { ...changedTree, checks: [] })).toBe("none");
  });

  it("a gap in coverage voids results that started before it, except those of a person", () => {
    const coverage = { ...newCoverage(0), gaps: [{ kind: "phantom" as const, at: 650, count: 1, calls: [] }] };
    expect(standing({ ...having(resultOf("passed")), coverage })).not.toBe("passed");
    const { call: _, ...byPerson } = resultOf("passed");
    const person = { [historyKey(changedTree.root, "test")]: { whole: byPerson } };
    expect(standing({ ...worker, coverage }, changedTree, { person })).toBe("passed");
  });

  it("only required checks are open", () => {
    const tree = { ...changedTree, checks: [npmTest, { ...npmTest, name: "build" as const }] };
    const known = { session: worker, person: {}, verify, now: 1_000 };
    expect(openChecks(tree, known).map(({ check }) => check)).toEqual(["test"]);
    expect(openChecks(tree, { ...known, verify: { ...verify, require: ["build"] } }).map(({ check }) => check)).toEqual(
      ["build"],
    );
  });
});

describe("whether code has changed", () => {
  const with_ = (work: object) => ({ ...worker, work: { [changedTree.root]: { worked: true, ...work } } }) as Session;

  it("a tree whose code is as it was owes nothing, whatever was done in between", () => {
    expect(isChanged(changedTree, with_({ base: "now", touchedAt: 5, codeAt: 5, paths: [] }))).toBe(false);
  });

  it("GT-24 documents alone owe nothing, whether the tree can be seen or not", () => {
    expect(isChanged(changedTree, with_({ base: "now", touchedAt: 5, paths: [] }))).toBe(false);
    const { digest: _, ...blind } = changedTree;
    expect(isChanged(blind, with_({ base: "", touchedAt: 5, paths: [] }))).toBe(false);
  });

  it("GT-14 changes by any tool count", () => {
    expect(isChanged(changedTree, with_({ base: "before", touchedAt: 5, paths: [] }))).toBe(true);
  });

  it("GT-10 without a digest, files that the tools reported as written count", () => {
    const { digest: _, ...blind } = changedTree;
    expect(isChanged(blind, with_({ base: "", touchedAt: 5, codeAt: 5, paths: [] }))).toBe(true);
    expect(isChanged(blind, with_({ base: "", touchedAt: 5, paths: [] }))).toBe(false);
  });

  it("changes that git only checks out do not count", () => {
    const moved = { ...worker, work: { [changedTree.root]: { base: "before", touchedAt: 5, paths: [] } } } as Session;
    expect(isChanged(changedTree, moved)).toBe(false);
  });

  it("settled work does not count as changed", () => {
    expect(isChanged(changedTree, with_({ base: "before", touchedAt: 0, paths: [] }))).toBe(false);
    expect(isChanged(changedTree, {})).toBe(false);
  });
});
