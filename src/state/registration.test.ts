import { describe, expect, it } from "vitest";
import type { JournalRecord } from "./record.ts";
import { learn } from "./registration.ts";
import type { Registration } from "./session/session.ts";
import { fold, newState, type State } from "./state.ts";

const begun = (registration: Registration, more: object = {}): JournalRecord =>
  ({
    kind: "verdict",
    event: "SessionStart",
    session: "s",
    decision: "pass",
    rid: "r",
    t: 1,
    changes: [{ record: "session", do: "begin", registration }],
    ...more,
  }) as unknown as JournalRecord;
const action = (name: string): JournalRecord => ({ kind: "action", action: name, rid: "a", t: 2 });
const stateAfter = (...records: readonly JournalRecord[]): State => records.reduce(fold, newState);
const whole = { "/s.json": ["PreToolUse", "Stop"] };

describe("the registration that later sessions are compared with", () => {
  it("is that of the first session, and grows when more hooks are registered", () => {
    expect(stateAfter(begun(whole)).registration).toEqual(whole);
    const more = { "/s.json": ["PreToolUse", "Stop", "SubagentStop"], "/t.json": ["Stop"] };
    expect(stateAfter(begun(whole), begun(more)).registration).toEqual(more);
  });

  it("is not reduced by sessions with fewer or disabled hooks", () => {
    expect(stateAfter(begun(whole), begun({ "/s.json": ["Stop"] })).registration).toEqual(whole);
    expect(stateAfter(begun(whole), begun({})).registration).toEqual(whole);
    const proxied = { "/s.json": [...(whole["/s.json"] ?? []), "!env.HTTP_PROXY"] };
    expect(stateAfter(begun(whole), begun(proxied)).registration).toEqual(whole);
    expect(stateAfter(begun(whole), begun({ "/other.json": ["!disableAllHooks"] })).registration).toEqual(whole);
  });

  it("is reset when a person runs init or uninstall", () => {
    expect(stateAfter(begun(whole), action("init")).registration).toEqual({});
    expect(stateAfter(begun(whole), action("uninstall"), begun({ "/s.json": ["Stop"] })).registration).toEqual({
      "/s.json": ["Stop"],
    });
    expect(stateAfter(begun(whole), action("prune")).registration).toEqual(whole);
  });

  it("tool uses while a person had removed the hooks are not reported", () => {
    const { sessions } = stateAfter(begun(whole), action("uninstall"), { ...action("init"), t: 9 });
    expect(sessions["s"]?.coverage?.since).toBe(9);
  });

  it("is not changed by an unbound event", () => {
    expect(stateAfter(begun(whole, { unbound: true })).registration).toEqual({});
  });

  it("keeps only the newest twenty files", () => {
    const many = Array.from({ length: 99 }, (_, at) => ({ [`/w${at}/s.json`]: ["Stop"] }));
    const known = many.reduce<Registration>(learn, {});
    expect(Object.keys(known)).toHaveLength(20);
    expect(known["/w98/s.json"]).toBeDefined();
  });
});
