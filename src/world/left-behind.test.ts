import { expect, it } from "vitest";
import type { HookEvent } from "../kernel/event.ts";
import { type Mode, STALE_MS } from "../state/modes.ts";
import { newSession, type Session } from "../state/session.ts";
import { newState } from "../state/state.ts";
import { processAt } from "./caller.ts";
import { leftBehind } from "./left-behind.ts";

const NOW = 100 * STALE_MS;
const mode: Mode = { since: NOW - 1_000, by: "prompt", task: "finish it", count: 3, max: 20 };
const gone = { pid: process.pid, started: "long ago" };
const left: Session = { ...newSession(NOW), client: gone, modes: { persistent: mode } };
const running: Session = { ...left, client: processAt(process.pid) };

const found = (sessions: Readonly<Record<string, Session>>, source = "startup") =>
  leftBehind({ name: "SessionStart", session: "s-9", source } as HookEvent, { ...newState, sessions }, NOW);

it("a session that was killed and one that has ended, but none that runs", () => {
  expect(found({ killed: left })).toEqual({ session: "killed", modes: ["persistent"] });
  expect(found({ closed: { ...running, endedAt: NOW - 5 } })).toEqual({ session: "closed", modes: ["persistent"] });
  expect(found({ running })).toBeNull();
  expect(found({ killed: left }, "resume")).toBeNull();
});

it("what another mode has brought along is not named", () => {
  const turbo: Mode = { ...mode, by: "mode", with: "persistent" };
  expect(found({ killed: { ...left, modes: { persistent: mode, turbo } } })?.modes).toEqual(["persistent"]);
});

it("not what is out of date, and nobody is told twice", () => {
  const old = { ...mode, since: NOW - STALE_MS - 1 };
  expect(found({ killed: { ...left, modes: { persistent: old } } })).toBeNull();
  expect(found({ killed: left, later: { ...newSession(NOW), toldOf: "killed" } })).toBeNull();
});
