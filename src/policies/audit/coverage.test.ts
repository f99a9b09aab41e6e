import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Transcript } from "../../kernel/facts.ts";
import {
  type Coverage,
  GATES_MAX,
  type Gap,
  MAIN,
  newCoverage,
  passGate,
  reduceCoverage,
} from "../../state/session/coverage.ts";
import { compare } from "./coverage.ts";

/** A tool call: where it shows up, and when, in milliseconds after it was made. */
interface Call {
  readonly id: string;
  readonly saidAfter: number;
  /** Undefined: the call never passed the gate. */
  readonly gateAfter: number | undefined;
  /** Undefined: the call never ended. */
  readonly end: { readonly after: number; readonly ran: boolean } | undefined;
  readonly inTranscript: boolean;
}

interface Moment {
  readonly at: number;
  readonly act: (coverage: Coverage) => Coverage;
}

interface Line {
  /** When the host wrote the line, which is later than the line's own time. */
  readonly written: number;
  readonly uses: Transcript["uses"];
  readonly results: Transcript["results"];
}

const BEGIN = 1_000_000;

/** Plays the calls with checks at these times; each check reads at most `linesMax` lines that exist by then. */
function play(calls: readonly Call[], checks: readonly number[], lag: number, linesMax: number): readonly Gap[] {
  const moments: Moment[] = [];
  const lines: Line[] = [];
  let said = BEGIN;
  for (const { id, saidAfter, gateAfter, end, inTranscript } of calls) {
    said += saidAfter;
    const at = said;
    if (gateAfter !== undefined) {
      moments.push({ at: at + gateAfter, act: (coverage) => passGate(coverage, { id, at: at + gateAfter }) });
    }
    if (!inTranscript) continue;
    lines.push({ written: at + lag, uses: [{ id, tool: "Bash", at }], results: [] });
    const ended = at + (gateAfter ?? 0) + (end?.after ?? 0);
    if (end) lines.push({ written: ended + lag, uses: [], results: [{ id, ran: end.ran }] });
  }
  lines.sort((a, b) => a.written - b.written);
  const last = Math.max(said + 60_000, BEGIN + 400_000);
  // The session continues long enough for everything to be read and judged.
  const late = Array.from({ length: lines.length + 3 }, (_, at) => last + at * 20_000);
  for (const at of [...checks.map((after) => BEGIN + after), ...late]) {
    moments.push({ at, act: (coverage) => checked(coverage, lines, at, linesMax) });
  }
  moments.sort((a, b) => a.at - b.at);
  return moments.reduce<Coverage>((coverage, { act }) => act(coverage), newCoverage(BEGIN - 1)).gaps;
}

function checked(coverage: Coverage, lines: readonly Line[], now: number, linesMax: number): Coverage {
  const from = coverage.cursors[MAIN]?.offset ?? 0;
  const there = lines.filter(({ written }) => written <= now).length;
  const to = Math.min(there, from + linesMax);
  const piece = lines.slice(from, to);
  const transcript: Transcript = {
    uses: piece.flatMap(({ uses }) => uses),
    results: piece.flatMap(({ results }) => results),
    cursor: { offset: to, mark: String(to), whole: to === there },
    broken: false,
  };
  return reduceCoverage(coverage, compare(coverage, MAIN, transcript, now), now);
}

const named = (gaps: readonly Gap[], kind: Gap["kind"]): readonly string[] =>
  gaps.flatMap((gap) => (gap.kind === kind ? gap.calls : [])).map((call) => call.split(" ").at(-1) ?? "");

const ms = fc.nat(8_000);
const gated = fc.record({ saidAfter: ms, gateAfter: ms, end: fc.record({ after: ms, ran: fc.boolean() }) });
const neverEnded = fc.record({ saidAfter: ms, gateAfter: ms, end: fc.constant(undefined) });
const turnedAway = fc.record({
  saidAfter: ms,
  gateAfter: fc.constant(undefined),
  end: fc.record({ after: ms, ran: fc.constant(false) }),
});
const bypass = fc.record({
  saidAfter: fc.integer({ min: 1, max: 8_000 }),
  gateAfter: fc.constant(undefined),
  end: fc.record({ after: ms, ran: fc.constant(true) }),
});
const honest = fc.oneof(gated, neverEnded, turnedAway);
const times = fc.array(fc.nat(120_000), { maxLength: 12 });
const lags = fc.nat(1_500);
const piece = fc.integer({ min: 1, max: 40 });
const withIds = (calls: readonly Omit<Call, "id" | "inTranscript">[], prefix: string): readonly Call[] =>
  calls.map((call, at) => ({ ...call, id: `${prefix}${at}`, inTranscript: true }));

describe("the transcript compared with the gate", () => {
  it("raises no alarm for an honest session, in any order, with any lag and any chunk size", () => {
    fc.assert(
      fc.property(fc.array(honest, { maxLength: 12 }), times, lags, piece, (calls, checks, lag, lines) => {
        expect(play(withIds(calls, "h"), checks, lag, lines)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("finds every call that bypassed the gate, once", () => {
    const both = fc.array(fc.oneof(honest, bypass), { maxLength: 3 });
    fc.assert(
      fc.property(both, fc.array(bypass, { minLength: 1, maxLength: 2 }), times, lags, piece, (some, past, ...how) => {
        const calls = [...withIds(some, "h"), ...withIds(past, "b")];
        const wanted = calls.filter(({ gateAfter, end }) => gateAfter === undefined && end?.ran).map(({ id }) => id);
        const found = play(calls, ...how);
        expect(found.map(({ kind }) => kind).filter((kind) => kind !== "bypass")).toEqual([]);
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(wanted.length);
        expect(wanted).toEqual(expect.arrayContaining([...named(found, "bypass")]));
      }),
      { numRuns: 400 },
    );
  });

  it("finds every gate request without a tool call, once", () => {
    fc.assert(
      fc.property(
        fc.array(honest, { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        times,
        lags,
        piece,
        (calls, count, ...how) => {
          const forged = Array.from({ length: count }, (_, at): Call => {
            return { id: `f${at}`, saidAfter: 10, gateAfter: 5, end: undefined, inTranscript: false };
          });
          const found = play([...withIds(calls, "h"), ...forged], ...how);
          expect([...named(found, "phantom")].sort()).toEqual(forged.map(({ id }) => id));
          expect(named(found, "bypass")).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const empty: Transcript = { uses: [], results: [], cursor: { offset: 0, mark: "", whole: true }, broken: false };
const seen = (...ids: readonly string[]): Transcript => ({
  ...empty,
  uses: ids.map((id) => ({ id, tool: "Bash", at: 5_000 })),
  results: ids.map((id) => ({ id, ran: true })),
  cursor: { offset: 9, mark: "m", whole: true },
});
const checkedWith = (coverage: Coverage, transcript: Transcript, now = 6_000, actor = MAIN): Coverage =>
  reduceCoverage(coverage, compare(coverage, actor, transcript, now), now);

describe("calls that are not judged", () => {
  it("tool calls from before the session was first seen: a fork, a resume, an installation half-way", () => {
    expect(checkedWith(newCoverage(5_000), seen("old")).gaps).toEqual([]);
    expect(checkedWith(newCoverage(4_999), seen("new")).gaps).toMatchObject([{ kind: "bypass", calls: ["Bash new"] }]);
  });

  it("lines that are written a second time", () => {
    const once = checkedWith(passGate(newCoverage(0), { id: "a", at: 5_000 }), seen("a"), 8_000);
    expect(checkedWith(once, seen("a"), 9_000).gaps).toEqual([]);
  });

  it("the part lost when the file changed or was too long", () => {
    const waiting = [1, 2, 3].reduce((sum, id) => passGate(sum, { id: `g${id}`, at: 100 }), newCoverage(0));
    const broken = checkedWith(checkedWith(waiting, empty, 20_000), { ...seen("x"), broken: true }, 40_000);
    expect(broken).toMatchObject({ gates: [], since: 40_000 });
    expect(named(broken.gaps, "phantom")).toEqual([]);
  });

  it("calls matched just before the file changed and read again", () => {
    const met = checkedWith(passGate(newCoverage(0), { id: "a", at: 5_000 }), seen("a"), 5_001);
    expect(checkedWith(met, { ...seen("a"), broken: true }, 5_500).gaps).toEqual([]);
  });

  it("a gate entry dropped because there were too many", () => {
    const ids = Array.from({ length: GATES_MAX + 5 }, (_, at) => `g${at}`);
    const full = ids.reduce((sum, id, at) => passGate(sum, { id, at: 5_000 + at }), newCoverage(0));
    expect(full.gates).toHaveLength(GATES_MAX);
    expect(checkedWith(full, seen(...ids)).gaps).toEqual([]);
  });

  it("the tool calls of another agent, until it has stopped", () => {
    const busy = passGate(newCoverage(0), { id: "s", at: 100, agent: "a1" });
    const later = checkedWith(checkedWith(busy, empty, 20_000), empty, 60_000);
    expect(later).toMatchObject({ gaps: [], gates: [{ id: "s" }] });
    expect(checkedWith(later, seen("s"), 70_000, "a1")).toMatchObject({ gaps: [], gates: [], met: 1 });
    expect(checkedWith(later, seen("s", "t"), 70_000, "a1").gaps).toMatchObject([{ kind: "bypass", agent: "a1" }]);
  });
});

describe("the change produced by a check", () => {
  it("counts once when two checks read the same lines", () => {
    const change = compare(newCoverage(0), MAIN, seen("x"), 6_000);
    const twice = reduceCoverage(reduceCoverage(newCoverage(0), change, 6_000), change, 6_001);
    expect(twice.gaps).toHaveLength(1);
  });

  it("does not affect calls that passed the gate meanwhile", () => {
    const before = passGate(newCoverage(0), { id: "a", at: 100 });
    const change = compare(before, MAIN, seen("a"), 6_000);
    expect(reduceCoverage(passGate(before, { id: "b", at: 200 }), change, 6_000).gates).toMatchObject([{ id: "b" }]);
  });

  it("always fits into a record", () => {
    const id = (at: number): string => `${at}`.padEnd(100, "あ");
    const gates = Array.from({ length: GATES_MAX }, (_, at) => at);
    const full = gates.reduce((sum, at) => passGate(sum, { id: id(at), at: 0 }), newCoverage(0));
    const earlier = { ...full, cursors: { [MAIN]: { offset: 0, mark: "", at: 50_000, whole: true } } };
    const uses = gates.map((at) => ({ id: id(1_000 + at), tool: "T".repeat(40), at: 90_000 }));
    const results = uses.slice(0, 300).map(({ id }) => ({ id, ran: true }));
    for (const at of [1_000, 99_000]) {
      const change = compare(earlier, MAIN, { ...empty, uses, results }, at);
      expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(1_600);
    }
  });
});
