import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../../hosts/index.ts";
import type { Transcript } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import type { JournalRecord } from "../../state/record.ts";
import { MAIN } from "../../state/session/coverage.ts";
import type { Session } from "../../state/session/session.ts";
import { fold, newState, type State } from "../../state/state.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { trackCoverage } from "./track-coverage.ts";

const { readTranscriptLine = () => undefined } = hosts[HOST];
const { process: client } = ordinaryFacts.caller;
const ran = (...ids: readonly string[]): Transcript => ({
  uses: ids.map((id) => ({ id, tool: "Bash", at: 900 })),
  results: ids.map((id) => ({ id, ran: true })),
  cursor: { offset: 500, mark: "m", whole: true },
  broken: false,
});
const stops = { name: "Stop" as const, transcript: "/t.jsonl" };
const prompts = { name: "UserPromptSubmit" as const, prompt: "go on", transcript: "/t.jsonl" };

function session(state: State): Session {
  const found = own(state.sessions, "s-1");
  if (!found) throw new Error("no session");
  return { ...found, client };
}

function record(state: State, event: string, more: object, t: number): State {
  const body = { kind: "verdict", event, session: "s-1", decision: "pass", rid: `r${t}`, t, ...more };
  return fold(state, body as unknown as JournalRecord);
}

describe("a tool call that bypassed the gate", () => {
  const begun = record(newState, "SessionStart", {}, 10);
  const first = verdictOf(trackCoverage, stops, { session: session(begun), transcript: ran("toolu_1") });
  const known = record(begun, "Stop", { changes: first.changes }, 1_000);

  it("is shown to the person at once, and never refuses a Stop", () => {
    expect(first.decision).toBe("pass");
    expect(first.notices[0]?.en).toMatch(/1 tool use\(s\) ran without passing the checkpoint: Bash toolu_1\./);
    expect(first.notes).toEqual([]);
  });

  it("is reported to the agent with the next prompt, and neither message is repeated", () => {
    const next = { ...ran(), cursor: { offset: 600, mark: "n", whole: true } };
    const told = verdictOf(trackCoverage, prompts, { session: session(known), transcript: next, now: 2_000 });
    expect(told.notices).toEqual([]);
    expect(told.notes[0]?.en).toContain("does not count as evidence");
    const after = record(known, "UserPromptSubmit", { changes: told.changes }, 2_000);
    for (const event of [stops, prompts]) {
      const again = verdictOf(trackCoverage, event, { session: session(after), transcript: next, now: 3_000 });
      expect([...again.notices, ...again.notes]).toEqual([]);
    }
  });

  it("stays in the session's record, with its time", () => {
    expect(session(known).coverage?.gaps).toEqual([{ kind: "bypass", at: 1_000, count: 1, calls: ["Bash toolu_1"] }]);
  });
});

describe("the last lines of a session", () => {
  it("lines written after the session ended are judged when it is resumed", () => {
    const begun = record(newState, "SessionStart", {}, 10);
    const early = { ...ran(), cursor: { offset: 0, mark: "", whole: true } };
    const stopped = verdictOf(trackCoverage, stops, { session: session(begun), transcript: early, now: 950 });
    const known = record(begun, "Stop", { changes: stopped.changes }, 950);
    const ended = record(known, "SessionEnd", { changes: [{ record: "session", do: "end" }] }, 1_000);
    const found = verdictOf(trackCoverage, prompts, {
      session: session(ended),
      transcript: ran("toolu_late"),
      now: 9_000,
    });
    expect(found.notices[0]?.en).toContain("Bash toolu_late");
  });
});

describe("the last lines of a subagent", () => {
  it("lines written after the subagent stopped are judged at the session's next event", () => {
    const who = { agent: { id: "sub", type: "helper" } };
    const early = { ...ran(), cursor: { offset: 0, mark: "", whole: true } };
    const begun = record(newState, "SessionStart", {}, 10);
    const stopped = verdictOf(
      trackCoverage,
      { name: "SubagentStop", transcript: "/t/sub.jsonl", ...who },
      { session: session(begun), transcript: early },
    );
    expect(stopped.notices).toEqual([]);
    const known = record(begun, "SubagentStop", { changes: stopped.changes, ...who }, 1_000);
    const facts = {
      session: session(known),
      transcript: ran(),
      lateTranscripts: { sub: ran("toolu_late") },
      now: 2_000,
    };
    const found = verdictOf(trackCoverage, stops, facts);
    expect(found.notices[0]?.en).toContain("Bash toolu_late");
    const after = record(known, "Stop", { changes: found.changes }, 2_000);
    expect(session(after).coverage?.gaps).toMatchObject([{ kind: "bypass", agent: "sub", calls: ["Bash toolu_late"] }]);
    expect(session(after).coverage?.cursors["sub"]).toMatchObject({ offset: 500 });
  });

  it("lines that do not fit into one record wait for the next event", () => {
    const many = ran(...Array.from({ length: 9 }, (_, at) => `toolu_${at}${"x".repeat(60)}`));
    const open = { ...many, results: [] };
    const begun = record(newState, "SessionStart", {}, 10);
    const lateTranscripts = { one: many, two: open, three: { ...open, uses: [...open.uses, ...many.uses] } };
    const { changes } = verdictOf(trackCoverage, stops, { session: session(begun), transcript: many, lateTranscripts });
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(4);
    expect(JSON.stringify(changes).length).toBeLessThan(1_500);
  });
});

describe("a gate request without a tool call", () => {
  const asked = record(record(newState, "SessionStart", {}, 10), "PreToolUse", { call: "toolu_forged" }, 20);
  const check = (state: State, now: number, offset: number) => {
    const transcript = { ...ran(), cursor: { offset, mark: "m", whole: true } };
    return verdictOf(trackCoverage, stops, { session: session(state), transcript, now });
  };

  it("is shown once, after the transcript had enough time", () => {
    const first = check(asked, 20_000, 100);
    expect(first.notices).toEqual([]);
    const waited = record(asked, "Stop", { changes: first.changes }, 20_000);
    const second = check(waited, 40_000, 200);
    expect(second.notices[0]?.en).toMatch(/asked about 1 tool use\(s\) that are not in the transcript: toolu_forged\./);
    const shown = record(waited, "Stop", { changes: second.changes }, 40_000);
    expect(check(shown, 60_000, 300).notices).toEqual([]);
    expect(session(shown).coverage?.gaps).toMatchObject([{ kind: "phantom", at: 40_000 }]);
  });
});

describe("no message and no record", () => {
  it("for a file named by an event of another process", () => {
    const caller = { ...ordinaryFacts.caller, process: { pid: 9, started: "9" }, insideAgent: true };
    const { notices, changes } = verdictOf(trackCoverage, stops, { caller, transcript: ran("toolu_1") });
    expect([...notices, ...changes]).toEqual([]);
  });

  it("if the host named no transcript", () => {
    expect(verdictOf(trackCoverage, stops, { transcript: null }).changes).toEqual([]);
  });

  it("if the transcript cannot be read: a fault is recorded and the Stop passes", () => {
    const verdict = verdictOf(trackCoverage, stops, { transcript: { unknown: "the transcript is not a plain file" } });
    expect(verdict.decision).toBe("pass");
    expect(verdict.trace[0]?.fault).toContain("not a plain file");
  });
});

/** Recorded sessions of the real host: its events in order, and the transcripts it wrote. */
interface Told {
  readonly at: number;
  readonly event: string;
  readonly session: string;
  readonly call?: string;
  readonly agent?: string;
}

const RECORDED = join(import.meta.dirname, "../../../test/transcripts");
const linesOf = (file: string): readonly string[] => readFileSync(join(RECORDED, file), "utf8").trimEnd().split("\n");
const CHECKS = ["Stop", "UserPromptSubmit", "SubagentStop"];

/** Replays a recorded session; at each event the transcript has only the lines with an earlier time. */
function replay(story: string, id: string, forgotten: (call: string) => boolean = () => false): Session {
  const agents = new Map([
    ["a0bfeaba0079637e3", "plain/agent-1.jsonl"],
    ["ac6a0160f2906e51f", "plain/agent-2.jsonl"],
  ]);
  const told = linesOf(`${story}/events.jsonl`).map((line) => JSON.parse(line) as Told);
  return session(
    told
      .filter((event) => event.session === id)
      .reduce<State>((state, { at, event, call, agent }) => {
        const who = agent === undefined ? {} : { agent: { id: agent, type: "helper" } };
        if (event === "PreToolUse" && call !== undefined && forgotten(call)) return state;
        const passed = record(state, event, { ...who, ...(call !== undefined && { call }) }, at);
        const file = agent === undefined ? `${story}/${id}.jsonl` : agents.get(agent);
        if (!CHECKS.includes(event) || file === undefined) return passed;
        const transcript = pieceOf(file, session(passed), agent ?? MAIN, at);
        const facts = { session: session(passed), transcript, now: at };
        const { changes } = verdictOf(trackCoverage, { name: event as "Stop", transcript: "/t", ...who }, facts);
        return record(passed, event, { ...who, changes }, at);
      }, newState),
  );
}

function pieceOf(file: string, { coverage }: Session, actor: string, now: number): Transcript {
  const from = coverage?.cursors[actor]?.offset ?? 0;
  const lines = linesOf(file);
  const later = lines.findIndex((line) => (timeOf(line) ?? 0) >= now);
  const there = later < 0 ? lines : lines.slice(0, later);
  const told = there.slice(from).flatMap((line) => readTranscriptLine(line) ?? []);
  return {
    uses: told.flatMap(({ uses }) => uses),
    results: told.flatMap(({ results }) => results),
    cursor: { offset: there.length, mark: String(there.length), whole: true },
    broken: false,
  };
}

function timeOf(line: string): number | undefined {
  const { timestamp } = JSON.parse(line) as { timestamp?: string };
  return timestamp === undefined ? undefined : Date.parse(timestamp);
}

const STORIES = [
  ["plain", "4940"],
  ["resume", "1b4a"],
  ["resume", "e030"],
  ["broken", "3fe7"],
  ["interrupt", "fc07"],
] as const;

describe("recorded sessions of the real host", () => {
  it.each(STORIES)("%s %s: everything matches, nothing is reported", (story, id) => {
    const { coverage } = replay(story, id);
    expect(coverage).toMatchObject({ gaps: [], gates: [], uses: [] });
    expect(coverage?.met).toBeGreaterThan(0);
    expect(coverage?.met).toBe(coverage?.passed);
  });

  it.each(STORIES)("%s %s: every call that ran without passing the gate is found, once", (story, id) => {
    const told = linesOf(`${story}/events.jsonl`).map((line) => JSON.parse(line) as Told);
    const ended = told.filter(({ event, session }) => session === id && /^PostToolUse(Failure)?$/.test(event));
    const calls = ended.flatMap(({ call }) => call ?? []);
    fc.assert(
      fc.property(fc.subarray(calls), (missing) => {
        const { coverage } = replay(story, id, (call) => missing.includes(call));
        const gaps = coverage?.gaps ?? [];
        expect(gaps.map(({ kind }) => kind).filter((kind) => kind !== "bypass")).toEqual([]);
        expect(gaps.reduce((sum, { count }) => sum + count, 0)).toBe(missing.length);
      }),
      { numRuns: 20 },
    );
  });
});
