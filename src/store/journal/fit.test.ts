import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../state/record.ts";
import { verdict } from "../contract.ts";
import { isFault } from "../store.ts";
import { fitRecord } from "./fit.ts";
import { encodeLine, RECORD_BYTES_MAX } from "./line.ts";
import { stamped } from "./rid.ts";

describe("fitting a record into one write", () => {
  it("leaves a record that fits unchanged", () => {
    const record = stamped(verdict({ input: { command: "ls" } }), 1);
    expect(fitRecord(record)).toBe(record);
  });

  it("cuts the longest text and says what was cut", () => {
    const record = cut({ input: { path: "/tmp/a", content: "x".repeat(5000) } });
    expect(record).toMatchObject({ input: { path: "/tmp/a" } });
    const { content } = (record as unknown as { input: { content: string } }).input;
    const [, start, lost] = /^(x+)…\[cut (\d+) chars, sha256 [0-9a-f]{16}\]$/.exec(content) ?? [];
    expect((start?.length ?? 0) + Number(lost)).toBe(5000);
    expect(encodeLine(record).length).toBeGreaterThan(RECORD_BYTES_MAX - 10);
  });

  it("never leaves half a character", () => {
    for (const lead of ["", "a"]) {
      const json = JSON.stringify(cut({ input: lead + "😀".repeat(2000) }));
      expect(json).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  it.each([
    ["10,000 keys", Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]))],
    ["a long key", { ["k".repeat(5000)]: 1 }],
    ["many short texts", Array.from({ length: 900 }, () => "short")],
  ])("replaces an input of %s by its digest", (_, input) => {
    const bytes = Buffer.byteLength(JSON.stringify(input));
    expect(cut({ input })).toMatchObject({ input: { cut: bytes, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  it("replaces an input that is nested too deeply to serialize", () => {
    let input: unknown = "x".repeat(3000);
    for (let depth = 0; depth < 50_000; depth++) input = [input];
    expect(cut({ input })).toMatchObject({ input: { cut: null } });
  });

  it("drops the list of asked policies before the objections and their text, and always keeps which policies objected", () => {
    const objection = { policy: "no-x", decision: "deny", what: "w".repeat(3000), fix: "f".repeat(3000) } as const;
    const asked = ["no-x", "no-y"];
    const input = { command: "rm -rf ~" };
    expect(cut({ objections: [objection], asked, input, cwd: "/w" })).toMatchObject({ input, cwd: "/w" });
    const inWords = { ...objection, what: "止".repeat(150), fix: "代".repeat(150) };
    const policies = Array.from({ length: 70 }, (_, at) => `require-something-${at}`);
    const whole = { objections: [inWords], input };
    expect(cut({ ...whole, asked: policies })).toMatchObject(whole);
    const crowd = cut({ objections: Array.from({ length: 18 }, () => objection), asked, cwd: "/w".repeat(300) });
    expect(crowd.kind === "verdict" && crowd.objections?.map(({ policy }) => policy)).toHaveLength(18);
    expect(crowd).not.toHaveProperty("asked");
    expect(crowd).not.toHaveProperty("cwd");
  });

  it("shortens a long session id to the same id each time", () => {
    const sessionOf = (length: number): unknown => ({ session: "", ...cut({ session: "s".repeat(length) }) }).session;
    expect(sessionOf(9000)).toBe(sessionOf(9000));
    expect(sessionOf(9000)).not.toBe(sessionOf(9001));
  });

  it("always fits and is deterministic", () => {
    const long = fc.oneof(fc.string({ unit: "binary" }), fc.string({ minLength: 500, maxLength: 4000 }));
    const input = fc.object({ key: long, values: [long, fc.integer(), fc.constant(null)], maxDepth: 4 });
    fc.assert(
      fc.property(fc.record({ input, cwd: long, tool: long, asked: fc.array(long, { maxLength: 5 }) }), (parts) => {
        const record = stamped(verdict(parts), 1);
        const fitted = fitRecord(record);
        expect(isFault(fitted)).toBe(false);
        expect(encodeLine(fitted as JournalRecord).length).toBeLessThanOrEqual(RECORD_BYTES_MAX);
        expect(fitRecord(record)).toEqual(fitted);
      }),
    );
  });
});

function cut(more: Parameters<typeof verdict>[0]): JournalRecord {
  const fitted = fitRecord(stamped(verdict(more), 1));
  if (isFault(fitted)) throw new Error(fitted.fault);
  expect(encodeLine(fitted).length).toBeLessThanOrEqual(RECORD_BYTES_MAX);
  return fitted;
}
