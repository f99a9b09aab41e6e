import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTranscriptLine } from "./transcript.ts";

const recorded = (file: string) =>
  readFileSync(join(import.meta.dirname, "../../../test/transcripts", file), "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => readTranscriptLine(line) ?? []);

describe("a transcript of the real host", () => {
  const lines = recorded("plain/4940.jsonl");

  it("contains every tool use with its tool and time", () => {
    const uses = lines.flatMap(({ uses }) => uses);
    expect(uses).toHaveLength(15);
    const at = Date.parse("2026-11-16T03:18:10.326Z");
    expect(uses[0]).toMatchObject({ id: "toolu_fine", tool: "Bash", at, command: expect.any(String) });
  });

  it("distinguishes calls that ran from calls that the host or a hook refused", () => {
    const ran = Object.fromEntries(lines.flatMap(({ results }) => results).map(({ id, ran }) => [id.slice(6), ran]));
    expect(ran).toEqual({
      fine: true,
      a: true,
      b: true,
      c: true,
      d: true,
      denied: false,
      notpermitted: false,
      nosuchtext: false,
      nosuchtool: false,
      invalidinput: false,
      nofile: true,
      bg: true,
      agent: true,
      agentbg: true,
      wait: true,
    });
  });

  it("tells when the host ran its hooks for the end of a turn", () => {
    const summary = {
      type: "system",
      subtype: "stop_hook_summary",
      timestamp: "2026-11-18T12:00:00.000Z",
      hookCount: 1,
    };
    expect(readTranscriptLine(JSON.stringify(summary))?.ends).toEqual([Date.parse(summary.timestamp)]);
    expect(readTranscriptLine(JSON.stringify({ ...summary, subtype: "compact_boundary" }))).toBeUndefined();
  });

  it("marks the lines of subagents", () => {
    expect(new Set(lines.map(({ aside }) => aside))).toEqual(new Set([false]));
    expect(new Set(recorded("plain/agent-1.jsonl").map(({ aside }) => aside))).toEqual(new Set([true]));
  });
});

describe("any other line", () => {
  it.each(["", "{", "null", "[]", '"text"', "{}", '{"message":{"content":[null,1,{"type":"tool_use","id":5}]}}'])(
    "%s contains nothing",
    (line) => {
      const { uses, results } = readTranscriptLine(line) ?? { uses: [], results: [] };
      expect([...uses, ...results]).toEqual([]);
    },
  );

  it("never throws", () => {
    const field = (type: string) =>
      fc.record({ type: fc.constant(type), message: fc.anything(), timestamp: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), field("user"), field("assistant")), (value) => {
        readTranscriptLine(JSON.stringify(value) ?? "");
      }),
    );
  });

  it("without a time counts as oldest", () => {
    const line = { type: "assistant", message: { content: [{ type: "tool_use", id: "x", name: "Bash" }] } };
    expect(readTranscriptLine(JSON.stringify(line))?.uses).toEqual([{ id: "x", tool: "Bash", at: 0 }]);
  });
});
