import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type Mode, STALE_MS } from "../../state/session/modes.ts";
import { newSession, type Session } from "../../state/session/session.ts";
import { newState, type State } from "../../state/state.ts";
import { processAt } from "../machine/caller.ts";
import { modesTakenUp, orphansOf } from "./orphans.ts";

const directory = tempDirectory("orphans");
const transcript = join(directory, "t.jsonl");

const NOW = 100 * STALE_MS;
const mode: Mode = { since: NOW - 1_000, by: "prompt", task: "finish it", count: 3, max: 20 };
const gone = { pid: process.pid, started: "long ago" };
const left: Session = { ...newSession(NOW), client: gone, modes: { persistent: mode } };

function event(source: string, more: object = {}): HookEvent {
  return { name: "SessionStart", session: "heir", cwd: directory, attended: true, source, transcript, ...more };
}

const state = (sessions: State["sessions"]): State => ({ ...newState, t: NOW, sessions });
const found = (sessions: State["sessions"], given: HookEvent = event("resume")): readonly string[] =>
  orphansOf(given, state(sessions));

const line = (id: string): string => `${JSON.stringify({ type: "user", sessionId: id })}\n`;
beforeEach(() => writeFileSync(transcript, `${line("first")}${line("second")}${line("heir")}`));

describe("ST-11 TS-30 adoption by source: modes whose session lost its host process", () => {
  it("go to the resumed session whose transcript names the old one", () => {
    expect(found({ first: left })).toEqual(["first"]);
    expect(modesTakenUp(event("resume"), state({ first: left }))).toEqual({ persistent: mode });
    expect(modesTakenUp(event("startup"), state({ first: left }))).toEqual({});
    expect(found({ first: left }, event("compact"))).toEqual(["first"]);
    expect(found({ first: left }, event("fork"))).toEqual(["first"]);
  });

  it.each([["startup"], ["clear"], [""], ["whatever"]])("do not go to a session with source %j", (source) => {
    expect(found({ first: left }, event(source))).toEqual([]);
  });

  it("are not adopted at any other event", () => {
    const prompt = { ...event("resume"), name: "UserPromptSubmit", prompt: "go on" } as unknown as HookEvent;
    expect(found({ first: left }, prompt)).toEqual([]);
  });

  it("are not adopted while the host process runs, unless the session has ended", () => {
    const alive = { ...left, client: processAt(process.pid) };
    expect(found({ first: alive })).toEqual([]);
    expect(found({ first: { ...alive, endedAt: NOW } })).toEqual(["first"]);
  });

  it("are not taken from the session itself, from a session without modes, or when stale", () => {
    const { modes: _, ...bare } = left;
    const stale = { ...left, modes: { persistent: { ...mode, since: NOW - STALE_MS - 1_000 } } };
    expect(found({ heir: left, first: bare, second: stale })).toEqual([]);
  });

  it("ST-9 a mode exactly a day old is not stale", () => {
    expect(found({ first: { ...left, modes: { persistent: { ...mode, since: NOW - STALE_MS } } } })).toEqual(["first"]);
  });

  it("are not adopted when the transcript names another session, is missing or is unreadable", () => {
    const others = { third: left };
    expect(found(others)).toEqual([]);
    expect(found({ firs: left, "first second": left })).toEqual([]);
    expect(found({ first: left }, event("resume", { transcript: "" }))).toEqual([]);
    expect(found({ first: left }, event("resume", { transcript: join(directory, "gone") }))).toEqual([]);
    expect(found({ first: left }, event("resume", { transcript: directory }))).toEqual([]);
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(found({ first: left }, event("resume", { transcript: pipe }))).toEqual([]);
  });

  it("are not adopted because a tool call merely mentions the session", () => {
    const use = (input: object): string =>
      `${JSON.stringify({ type: "assistant", sessionId: "heir", message: { content: [{ type: "tool_use", input }] } })}\n`;
    const said = [{ command: "first" }, { sessionId: "first" }, { forkedFrom: { sessionId: "first" } }];
    writeFileSync(transcript, `${said.map(use).join("")}"first"\nnull\n[{"sessionId":"first"}]\n`);
    expect(found({ first: left }, event("compact"))).toEqual([]);
  });

  it("go to a session forked from the old one", () => {
    writeFileSync(transcript, `${JSON.stringify({ sessionId: "heir", forkedFrom: { sessionId: "first" } })}\n`);
    expect(found({ first: left }, event("fork"))).toEqual(["first"]);
  });

  it("only the beginning of an endless transcript is read", () => {
    truncateSync(transcript, 2 ** 40);
    expect(found({ first: left })).toEqual(["first"]);
  });

  it("the newest of several sessions comes first", () => {
    const later = { ...left, lastAt: NOW + 5 };
    expect(found({ first: left, second: later })).toEqual(["second", "first"]);
  });
});
