import { expect, it } from "vitest";
import type { HookEvent } from "../kernel/event.ts";
import { type Mode, STALE_MS } from "../state/modes.ts";
import { newSession, type Session } from "../state/session.ts";
import { newState, type State } from "../state/state.ts";
import { processAt } from "./caller.ts";
import { leftBehind } from "./left-behind.ts";

const NOW = 100 * STALE_MS;
const mode: Mode = { since: NOW - 1_000, by: "prompt", task: "finish it", count: 3, max: 20 };
const killed: Session = {
  ...newSession(NOW),
  client: { pid: process.pid, started: "long ago" },
  modes: { persistent: mode, turbo: { ...mode, with: "persistent" } },
};
const found = (sessions: State["sessions"], source = "startup", now = NOW) =>
  leftBehind(
    { name: "SessionStart", session: "new", cwd: "/", attended: true, source, transcript: "" } as HookEvent,
    { ...newState, t: now, sessions },
    now,
  );

it("PB-27 a session that was killed in a mode is found, of several the newest", () => {
  expect(found({ killed })).toEqual({ session: "killed", modes: ["persistent", "turbo"] });
  expect(found({ killed, later: { ...killed, lastAt: NOW + 5 } })?.session).toBe("later");
});

it.each([
  ["one that has ended", { ...killed, endedAt: NOW }],
  ["one whose client runs", { ...killed, client: processAt(process.pid) }],
  ["one that never had a client", { ...newSession(NOW), modes: { persistent: mode } }],
  ["one without a mode", { ...newSession(NOW), client: { pid: process.pid, started: "long ago" } }],
  ["one whose mode is out of date", { ...killed, modes: { persistent: { ...mode, since: NOW - STALE_MS - 1 } } }],
] satisfies readonly (readonly [string, Session])[])("PB-27 %s is not", (_, session) => {
  expect(found({ killed: session })).toBeNull();
});

it("PB-27 nor one of which somebody was told, one's own, or any to a session that goes on", () => {
  expect(found({ killed, other: { ...newSession(NOW), toldOf: "killed" } })).toBeNull();
  expect(found({ new: killed })).toBeNull();
  for (const source of ["resume", "compact", "clear", "fork"]) expect(found({ killed }, source)).toBeNull();
});
