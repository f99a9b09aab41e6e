import { expect, it } from "vitest";
import type { HookEvent } from "../../kernel/event.ts";
import { type Mode, STALE_MS } from "../../state/session/modes.ts";
import { newSession, type Session } from "../../state/session/session.ts";
import { newState } from "../../state/state.ts";
import { processAt } from "../machine/caller.ts";
import { leftBehind } from "./left-behind.ts";

const NOW = 100 * STALE_MS;
const mode: Mode = { since: NOW - 1_000, by: "prompt", task: "finish it", count: 3, max: 20 };
const gone = { pid: process.pid, started: "long ago" };
const left: Session = { ...newSession(NOW), client: gone, modes: { persistent: mode } };
const running: Session = { ...left, client: processAt(process.pid) };

const found = (sessions: Readonly<Record<string, Session>>, source = "startup") =>
  leftBehind({ name: "SessionStart", session: "s-9", source } as HookEvent, { ...newState, sessions }, NOW);

it("finds killed and ended sessions but none that is running", () => {
  expect(found({ killed: left })).toEqual({ session: "killed", modes: ["persistent"] });
  expect(found({ closed: { ...running, endedAt: NOW - 5 } })).toEqual({ session: "closed", modes: ["persistent"] });
  expect(found({ running })).toBeNull();
  expect(found({ killed: left }, "resume")).toBeNull();
});

it("modes started by another mode are not named", () => {
  const turbo: Mode = { ...mode, by: "mode", with: "persistent" };
  expect(found({ killed: { ...left, modes: { persistent: mode, turbo } } })?.modes).toEqual(["persistent"]);
});

it("stale modes are skipped, and each session is reported once", () => {
  const old = { ...mode, since: NOW - STALE_MS - 1 };
  expect(found({ killed: { ...left, modes: { persistent: old } } })).toBeNull();
  expect(found({ killed: left, later: { ...newSession(NOW), toldOf: "killed" } })).toBeNull();
});
