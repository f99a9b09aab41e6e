import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readTranscriptLine, transcriptOfAgent } from "../hosts/claude-code/transcript.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Transcript } from "../kernel/facts.ts";
import { newCoverage } from "../state/coverage.ts";
import { newSession } from "../state/session.ts";
import { lateTranscripts, readTranscript } from "./transcript.ts";

const directory = mkdtempSync(join(tmpdir(), "sekisho-transcript-"));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, "t.jsonl");
const recorded = readFileSync(join(import.meta.dirname, "../../test/transcripts/plain/4940.jsonl"));
const read = (from?: Transcript["cursor"], bytesMax?: number): Transcript =>
  readTranscript(file, from, readTranscriptLine, bytesMax);
const ids = ({ uses }: Pick<Transcript, "uses">): readonly string[] => uses.map(({ id }) => id);
const use = (id: string, more: object = {}): string =>
  `${JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", id, name: "Bash" }] }, ...more })}\n`;

describe("a transcript is read where the last reading ended", () => {
  it("whatever it grew by in between, half lines included", () => {
    const all = (() => {
      writeFileSync(file, recorded);
      return read();
    })();
    expect(ids(all)).toHaveLength(15);
    const cuts = fc.array(fc.nat(recorded.length), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 6_000, max: 60_000 }), (places, bytesMax) => {
        writeFileSync(file, "");
        let cursor = read().cursor;
        const met: string[] = [];
        const sizes = [...places.sort((a, b) => a - b), recorded.length];
        for (const [at, size] of sizes.entries()) {
          appendFileSync(file, recorded.subarray(sizes[at - 1] ?? 0, size));
          for (let more = true; more; ) {
            const next = read(cursor, bytesMax);
            expect(next.broken).toBe(false);
            more = next.cursor.offset > cursor.offset;
            ({ cursor } = next);
            met.push(...ids(next));
          }
        }
        expect(met).toEqual(ids(all));
        expect(cursor).toEqual({ ...all.cursor, whole: true });
      }),
      { numRuns: 60 },
    );
  });

  it("and anew, with a word about it, when it shrank, was replaced or is gone", () => {
    writeFileSync(file, use("a") + use("b"));
    const { cursor } = read();
    writeFileSync(file, use("c"));
    expect(read(cursor)).toMatchObject({ broken: true, uses: [{ id: "c" }] });
    writeFileSync(file, use("d") + use("e") + use("f"));
    expect(read(cursor)).toMatchObject({ broken: true, uses: [{ id: "d" }, { id: "e" }, { id: "f" }] });
    rmSync(file);
    expect(read(cursor)).toMatchObject({ broken: true, uses: [], cursor: { offset: 0 } });
  });

  it("of a large one that was never read, only the end", () => {
    writeFileSync(file, use("old").repeat(500) + use("new"));
    expect(read(undefined, 1_000)).toMatchObject({ broken: true, cursor: { whole: true } });
    expect(ids(read(undefined, 1_000)).at(-1)).toBe("new");
  });

  it("and a line too long to be read is passed over, which is said", () => {
    writeFileSync(file, use("a"));
    let { cursor } = read();
    appendFileSync(file, use("long", { text: "x".repeat(5_000) }) + use("b"));
    const told: Transcript[] = [];
    for (let count = 0; count < 9; count++) {
      told.push(read(cursor, 1_000));
      cursor = told.at(-1)?.cursor ?? cursor;
    }
    expect(told.flatMap(ids)).toEqual(["b"]);
    expect(told.some(({ broken }) => broken)).toBe(true);
    expect(cursor.whole).toBe(true);
  });
});

describe("a path that is not a transcript", () => {
  it("is not there yet: nothing was said", () => {
    expect(readTranscript(join(directory, "none"), undefined, readTranscriptLine)).toEqual({
      uses: [],
      results: [],
      cursor: { offset: 0, mark: "", whole: true },
      broken: false,
    });
  });

  it.each([
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a link", (path: string) => symlinkSync(file, path)],
    ["a link to a device", (path: string) => symlinkSync("/dev/zero", path)],
  ])("%s is refused at once", (name, make) => {
    const path = join(directory, name.replaceAll(" ", "-"));
    make(path);
    expect(() => readTranscript(path, undefined, readTranscriptLine)).toThrow(/transcript/);
  });

  it("a directory or a device is refused at once", () => {
    expect(() => readTranscript(directory, undefined, readTranscriptLine)).toThrow(/not a plain file|cannot be read/);
    expect(() => readTranscript("/dev/zero", undefined, readTranscriptLine)).toThrow(/not a plain file/);
  });

  it("any bytes at all are read to the end, and never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        writeFileSync(file, Buffer.concat([Buffer.from('{"tool_'), bytes, Buffer.from("\n")]));
        expect(read().cursor.whole).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe("transcripts of subagents that have stopped", () => {
  const main = join(directory, "main.jsonl");
  mkdirSync(join(directory, "main/subagents"), { recursive: true });
  const place = (agent: string): string => join(directory, `main/subagents/agent-${agent}.jsonl`);
  const cursor = { offset: use("read").length, mark: "", at: 1, whole: true };
  const late = (agents: readonly string[], event: object = { name: "Stop" }): readonly string[] => {
    const cursors = Object.fromEntries(["main", ...agents].map((agent) => [agent, cursor]));
    const session = { ...newSession(0), coverage: { ...newCoverage(0), cursors } };
    const host = { readTranscriptLine, transcriptOfAgent };
    return Object.keys(lateTranscripts({ transcript: main, ...event } as HookEvent, session, host));
  };

  it("are read again once they have grown, a few at a time", () => {
    for (const agent of ["a", "b", "c", "d"])
      writeFileSync(place(agent), use("read") + use("late").repeat(agent === "a" ? 0 : 1));
    expect(late(["a"])).toEqual([]);
    expect(late(["a", "b", "gone"])).toEqual(["b"]);
    expect(late(["a", "b", "c", "d"])).toEqual(["b", "c"]);
    expect(late(["b"], { name: "SubagentStop", agent: { id: "c", type: "" } })).toEqual([]);
  });

  it("are no way to another file, and none of them keeps the others from being read", () => {
    writeFileSync(join(directory, "elsewhere.jsonl"), use("read") + use("x"));
    symlinkSync(place("b"), place("link"));
    execFileSync("mkfifo", [place("pipe")]);
    expect(late(["../../elsewhere", "link", "pipe", "b"])).toEqual(["b"]);
  });
});
