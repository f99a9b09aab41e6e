import { describe, expect, it } from "vitest";
import { mail, message, task } from "../../state/inbox/example-mail.ts";
import { verdictOf } from "../describe-policy.ts";
import { armySettings, boxAfter, exampleInbox, leadSettings, withMessages } from "./example-inbox.ts";
import { remindInbox } from "./remind-inbox.ts";
import { trackActor } from "./track-actor.ts";

const prompt = { name: "UserPromptSubmit", prompt: "go on" } as const;
const HOUR = 3_600_000;

describe("remind-inbox", () => {
  const asked = (at: number, more: object = {}) => ({
    asked: { q1: { id: "m1", from: "worker1", to: "worker2", subject: "which port?", at, ...more } },
  });

  it("says in one line how much waits, and nothing when nothing does", () => {
    const { notes } = verdictOf(remindInbox, prompt, exampleInbox(withMessages("a", "b")));
    expect(notes.map(({ en }) => en)).toEqual(["2 unread messages for worker1. See `sekisho inbox read`."]);
    expect(verdictOf(remindInbox, prompt, exampleInbox()).notes).toEqual([]);
  });

  it("names the command that shows what waits", () => {
    const owed = boxAfter("worker1", message("a", { ack: true }), mail("read", { numbers: [[1, 1]] }));
    const { notes } = verdictOf(remindInbox, prompt, exampleInbox(owed));
    expect(notes.map(({ en }) => en)).toEqual(["1 message to acknowledge for worker1. See `sekisho inbox list`."]);
    const assigned = verdictOf(remindInbox, prompt, exampleInbox(boxAfter("worker1", task("t1"))));
    expect(assigned.notes.map(({ en }) => en)).toEqual(["1 assigned task for worker1. See `sekisho task list`."]);
  });

  it("IN-48 tells the sender of a request that had no answer for an hour, once", () => {
    const now = 2 * HOUR;
    const { notes, jobs } = verdictOf(remindInbox, prompt, { ...exampleInbox(asked(now - HOUR)), now });
    expect(notes.map(({ en }) => en)).toEqual(['worker2 has not answered your request "which port?" for 60 min.']);
    expect(jobs).toMatchObject([{ job: "mail", records: [{ do: "lost", box: "worker1", ids: ["q1"] }] }]);
    expect(verdictOf(remindInbox, prompt, { ...exampleInbox(asked(now - HOUR + 60_000)), now }).notes).toEqual([]);
    expect(verdictOf(remindInbox, prompt, { ...exampleInbox(asked(0, { lost: true })), now }).notes).toEqual([]);
  });
});

describe("track-actor", () => {
  const started = (identity: object, given: object = {}, source = "startup") =>
    verdictOf(trackActor, { name: "SessionStart", source }, { settings: leadSettings, identity, ...given });

  it("gives a session its name and tells the agent who it is", () => {
    const { changes, notes } = started({ name: "worker1" });
    expect(changes).toEqual([{ record: "session", do: "actor", name: "worker1" }]);
    expect(notes[0]?.en).toContain("You are worker1. You report to lead.");
  });

  it("IN-5a after compaction the name is the one from the start, whatever the surroundings say", () => {
    const { changes, notes } = started({ name: "lead" }, exampleInbox(), "compact");
    expect(changes).toEqual([]);
    expect(notes[0]?.en).toContain("You are worker1.");
  });

  it("a name that a running session has, or that is none, is refused and the person is told", () => {
    const held = started({ refused: "worker1", heldBy: "0123456789" });
    expect([held.changes, held.notices[0]?.en]).toEqual([
      [],
      expect.stringContaining("session 01234567, which is running"),
    ]);
    expect(started({ refused: "a b" }).notices[0]?.en).toContain('"a b" is no name');
  });

  it("says nothing where roles are off", () => {
    const off = { settings: { ...armySettings, roles: { preset: "off", own: [] } as const } };
    expect(started({ name: "worker1" }, off)).toMatchObject({ changes: [], notes: [] });
  });
});
