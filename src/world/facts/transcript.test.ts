import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { HOST, hosts } from "../../hosts/index.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Transcript } from "../../kernel/facts.ts";
import { newCoverage } from "../../state/session/coverage.ts";
import { newSession } from "../../state/session/session.ts";
import { lateTranscripts, readTranscript } from "./transcript.ts";

const { readTranscriptLine = () => undefined, transcriptOfAgent = () => undefined } = hosts[HOST];

const directory = tempDirectory("transcript");
const file = join(directory, "t.jsonl");
const recorded = readFileSync(join(import.meta.dirname, "../../../test/transcripts/plain/4940.jsonl"));
const read = (from?: Transcript["cursor"], bytesMax?: number): Transcript =>
  readTranscript(file, from, readTranscriptLine, bytesMax);
const ids = ({ uses }: Pick<Transcript, "uses">): readonly string[] => uses.map(({ id }) => id);
const use = (id: string, more: object = {}): string =>
  `${JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", id, name: "Bash" }] }, ...more })}\n`;

describe("reading a transcript from where the last read ended", () => {
  it("finds everything appended in between, half lines included", () => {
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

  it("starts over and reports it when the file shrank, was replaced or is gone", () => {
    writeFileSync(file, use("a") + use("b"));
    const { cursor } = read();
    writeFileSync(file, use("c"));
    expect(read(cursor)).toMatchObject({ broken: true, uses: [{ id: "c" }] });
    writeFileSync(file, use("d") + use("e") + use("f"));
    expect(read(cursor)).toMatchObject({ broken: true, uses: [{ id: "d" }, { id: "e" }, { id: "f" }] });
    rmSync(file);
    expect(read(cursor)).toMatchObject({ broken: true, uses: [], cursor: { offset: 0 } });
  });

  it("reads only the end of a large transcript that was never read", () => {
    writeFileSync(file, use("old").repeat(500) + use("new"));
    expect(read(undefined, 1_000)).toMatchObject({ broken: true, cursor: { whole: true } });
    expect(ids(read(undefined, 1_000)).at(-1)).toBe("new");
  });

  it("skips a line that is too long, and reports it", () => {
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

describe("a path that is not a readable transcript", () => {
  it("a missing file yields nothing and is not broken", () => {
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

  it("any bytes are read to the end without throwing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        writeFileSync(file, Buffer.concat([Buffer.from('{"tool_'), bytes, Buffer.from("\n")]));
        expect(read().cursor.whole).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe("transcripts of stopped subagents", () => {
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

  it("are read again once they have grown, two per event", () => {
    for (const agent of ["a", "b", "c", "d"])
      writeFileSync(place(agent), use("read") + use("late").repeat(agent === "a" ? 0 : 1));
    expect(late(["a"])).toEqual([]);
    expect(late(["a", "b", "gone"])).toEqual(["b"]);
    expect(late(["a", "b", "c", "d"])).toEqual(["b", "c"]);
    expect(late(["b"], { name: "SubagentStop", agent: { id: "c", type: "" } })).toEqual([]);
  });

  it("cannot lead to another file, and a bad one does not stop the others", () => {
    writeFileSync(join(directory, "elsewhere.jsonl"), use("read") + use("x"));
    symlinkSync(place("b"), place("link"));
    execFileSync("mkfifo", [place("pipe")]);
    expect(late(["../../elsewhere", "link", "pipe", "b"])).toEqual(["b"]);
  });
});
