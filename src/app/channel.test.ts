import { describe, expect, it } from "vitest";
import type { Change } from "../state/change.ts";
import type { Awaited } from "../state/session/awaiting.ts";
import { historyOf } from "../state/session/checks.ts";
import { newCoverage } from "../state/session/coverage.ts";
import { boundSession } from "../state/session/example-session.ts";
import { reduceSession, type Session } from "../state/session/session.ts";
import { channelOf, type Sighted, sightOf, withoutUnseen } from "./channel.ts";
import { causeKey, evidenceKeys } from "./sighting-keys.ts";

const seen = (keys: readonly string[] = [], since = 0): Sighted => ({ since, keys: new Set(keys) });

const passed: Change = {
  record: "check",
  do: "end",
  id: "toolu_1",
  root: "/p",
  startedAt: 1,
  tree: "t",
  files: "f",
  exitCode: 0,
  runs: [{ check: "test", command: "npm test", outcome: "passed" }],
};
const skill: Change = { record: "proof", do: "skill", name: "review" };
const approval: Change = { record: "proof", do: "approve", name: "release" };
const read: Change = { record: "proof", do: "read", path: "/p/a.ts" };
const review: Change = { record: "proof", do: "review", type: "critic", pass: true, looked: 1 };

const sessionAfter = (...changes: readonly Change[]): Session =>
  changes.reduce<Session>((session, change) => reduceSession(session, change, 10), boundSession({ witnessedSince: 1 }));

describe("evidence on the fast lane", () => {
  it.each([
    ["a passed check", passed, ["check toolu_1 test f"]],
    ["a skill", skill, ["skill review"]],
    ["an approval", approval, ["approve release"]],
    ["a file that was read", read, ["read /p/a.ts"]],
    ["a reviewer's pass", review, ["review critic"]],
  ])("%s counts only if the host reported it", (_, change, keys) => {
    const session = sessionAfter(change);
    expect(withoutUnseen(session, seen(keys))).toEqual({ session, unseen: 0 });
    const { session: left, unseen } = withoutUnseen(session, seen());
    expect(unseen).toBe(1);
    expect(historyOf(left.checks, "/p", "test")).toEqual({});
    expect({ ...left.proof }).not.toMatchObject({ skills: { review: 10 } });
    for (const part of ["skills", "reads", "approvals", "reviews"] as const) {
      expect(left.proof?.[part] ?? {}).toEqual({});
    }
  });

  it("a check of a part of the code counts only if the host reported it", () => {
    const part: Change = {
      ...passed,
      runs: [{ check: "test", command: "npm test a", outcome: "partial", covers: ["a.test.ts"] }],
    };
    const session = sessionAfter(part);
    expect(historyOf(session.checks, "/p", "test").parts).toHaveLength(1);
    expect(withoutUnseen(session, seen(evidenceKeys(part)))).toEqual({ session, unseen: 0 });
    const { session: left, unseen } = withoutUnseen(session, seen());
    expect([historyOf(left.checks, "/p", "test").parts, unseen]).toEqual([[], 1]);
  });

  it("a check of other files than the host reported does not count", () => {
    expect(withoutUnseen(sessionAfter({ ...passed, files: "forged" }), seen(evidenceKeys(passed))).unseen).toBe(1);
  });

  it("a failed check counts whoever reports it", () => {
    const failed = sessionAfter({ ...passed, runs: [{ check: "test", command: "npm test", outcome: "failed" }] });
    expect(withoutUnseen(failed, seen())).toEqual({ session: failed, unseen: 0 });
  });

  it("a check that a person ran needs no host", () => {
    const { id: _, ...byPerson } = passed;
    const session = sessionAfter(byPerson);
    expect(withoutUnseen(session, seen())).toEqual({ session, unseen: 0 });
  });

  it("a check in the background counts if its start and its end were reported", () => {
    const session = sessionAfter(passed);
    expect(withoutUnseen(session, seen(["begun toolu_1 test", "ended toolu_1"])).session).toBe(session);
    expect(withoutUnseen(session, seen(["ended toolu_1"])).unseen).toBe(1);
    expect(withoutUnseen(session, seen(["begun toolu_1 build", "ended toolu_1"])).unseen).toBe(1);
  });

  it.each([
    ["the daemon's start", 11, boundSession({ witnessedSince: 1 })],
    ["the session's own hooks", 0, boundSession({ witnessedSince: 11 })],
    [
      "the last report of it",
      0,
      boundSession({
        witnessedSince: 1,
        coverage: { ...newCoverage(0), gaps: [{ kind: "forged", at: 11, count: 1, calls: [] }] },
      }),
    ],
  ])("from before %s is dropped without a report", (_, since, session) => {
    const { session: left, unseen } = withoutUnseen(reduceSession(session, skill, 10), seen([], since));
    expect({ skills: left.proof?.skills, unseen }).toEqual({ skills: {}, unseen: 0 });
  });
});

describe("the cause of a change that waits", () => {
  const call: Awaited = { at: 10, awaits: { call: "toolu_1", mark: "m" }, change: passed };
  const prompt: Awaited = { at: 10, awaits: { prompt: "m" }, change: { record: "mode", do: "stop" } };

  it("is seen if the host reported the same call with the same input", () => {
    expect(causeKey(call.awaits)).toBe("call toolu_1 m");
    expect(sightOf(seen(["call toolu_1 m"]))?.(call)).toBe("seen");
    expect(sightOf(seen(["call toolu_1 other"]))?.(call)).toBe("unseen");
  });

  it("is a prompt from before the daemon's start: then the transcript is enough, for a call it is not", () => {
    expect(sightOf(seen([], 11))?.(prompt)).toBe("seen");
    expect(sightOf(seen([], 9))?.(prompt)).toBe("unseen");
    expect(sightOf(seen([], 11))?.(call)).toBe("unseen");
  });

  it("is unknown to a process that did not ask the daemon, and needs no daemon on the plain lane", () => {
    expect(sightOf("unasked")?.(call)).toBe("unknown");
    expect(sightOf(undefined)).toBeUndefined();
  });

  it("cannot be shown by a connection when a turn was broken off", () => {
    expect(sightOf(seen())?.({ ...prompt, awaits: { prompt: "broken off", from: "break" } })).toBe("seen");
  });
});

describe("whether the daemon must have seen it", () => {
  const armed = (hooks: readonly string[]) => ({
    armingOf: () => ({ hooks, disarms: [], strange: [], runs: [] }) as never,
    places: { hostSettings: ["/nowhere/settings.json"] },
  });
  const session = boundSession({ witnessedSince: 1 });

  it("not in a session whose hooks are on the plain lane", () => {
    expect(channelOf("s", boundSession(), armed(["UserPromptSubmit (witness)"]))).toBeUndefined();
  });

  it("not if the daemon was looked for and is not up", () => {
    const gatehouse = { found: "down", now: "down", detail: "" } as const;
    expect(channelOf("s", session, { ...armed(["UserPromptSubmit (witness)"]), gatehouse })).toBeUndefined();
  });

  it("yes in a process that did not look, as long as the hooks name the daemon", () => {
    expect(channelOf("s", session, armed(["UserPromptSubmit (witness)"]))).toBe("unasked");
    expect(channelOf("s", session, armed(["UserPromptSubmit"]))).toBeUndefined();
  });
});
