import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../state/record.ts";
import { checkSettings } from "../state/settings/setting-rules.ts";
import { fold, newState } from "../state/state.ts";
import { statusView } from "./status.ts";

const MINUTE = 60_000;
const seen = (t: number, session: string, event: string, more: object = {}): JournalRecord =>
  ({ kind: "verdict", rid: `r${t}`, t, session, event, decision: "pass", ...more }) as JournalRecord;
const helper = { agent: { id: "a1", type: "helper" } };
const gap = { kind: "bypass", count: 4, calls: ["Bash x", "Bash y", "Bash z"] };
const cover = {
  record: "session",
  do: "cover",
  actor: "main",
  from: null,
  cursor: { offset: 9, mark: "m", whole: true },
  passed: 1,
  met: 1,
  kept: [],
  uses: [],
  gaps: [gap],
};

const view = statusView({
  version: "1",
  project: "/p",
  stateDirectory: "/s",
  state: [
    seen(0, "old", "SessionStart"),
    seen(MINUTE, "new", "PreToolUse", { call: "c1" }),
    seen(2 * MINUTE, "new", "PreToolUse", { ...helper, call: "c2" }),
    seen(2 * MINUTE + 500, "new", "Stop", { changes: [cover] }),
  ].reduce(fold, newState),
  settings: checkSettings([], []),
  files: [],
  policies: [],
  snapshots: [{ bytes: 1000 }, { bytes: 24 }],
  passphrase: "none",
  now: 2 * MINUTE + 30_500,
});

describe("sessions in the status", () => {
  it("come newest first, with the last event of every agent and its age", () => {
    expect(view.sessions.map(({ id }) => id)).toEqual(["new", "old"]);
    expect(view.sessions[0]?.actors).toEqual([
      { id: "main", type: "main", event: "Stop", lastSeen: "30 seconds ago", ageSeconds: 30 },
      { id: "a1", type: "helper", event: "PreToolUse", lastSeen: "30 seconds ago", ageSeconds: 30 },
    ]);
    expect(view.sessions[1]?.actors).toMatchObject([
      { type: "main", event: "SessionStart", lastSeen: "2 minutes ago" },
    ]);
  });

  it("show how much the transcript confirmed, what is open, and the gaps", () => {
    expect(view.sessions[0]?.transcript).toEqual({
      met: 1,
      waiting: 1,
      gapCount: 1,
      gaps: [{ kind: "bypass", words: "4 ran past the gate: Bash x, Bash y, Bash z …", lastSeen: "30 seconds ago" }],
    });
    expect(view.sessions[1]?.transcript).toEqual({ met: 0, waiting: 0, gapCount: 0, gaps: [] });
  });
});

it("snapshots for undo are counted with their size", () => {
  expect(view.snapshots).toEqual({ count: 2, bytes: 1024 });
});
