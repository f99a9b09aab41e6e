/** State for comparing the host's transcript with the tool uses that came through PreToolUse. */
import type { Traced } from "./calls.ts";

/** A tool use that came through PreToolUse and was not found in a transcript yet. */
export interface Gate {
  readonly id: string;
  readonly at: number;
  /** Mark of the input that was judged. */
  readonly mark?: string;
  /** The subagent that made the call, and whose transcript will contain it. */
  readonly agent?: string;
}

/** How far a transcript has been read. */
export interface Cursor {
  readonly offset: number;
  /** Mark of the bytes before the offset; it differs when the file was rewritten. */
  readonly mark: string;
  readonly at: number;
  /** The offset was the end of the file at that time. */
  readonly whole: boolean;
}

/** A tool use in the transcript without a gate, for which it is not known yet whether it ran. */
export interface OpenUse {
  readonly id: string;
  readonly tool: string;
  readonly agent?: string;
}

/**
 * bypass: it ran without PreToolUse. phantom: PreToolUse was asked about a tool use that does not exist. forged: a
 * result was reported that the transcript does not hold. rewritten: another input ran than the one that was judged.
 * prompt: a prompt was reported that no person wrote.
 */
export type GapKind = "bypass" | "phantom" | "forged" | "rewritten" | "prompt";

export interface Gap {
  readonly kind: GapKind;
  readonly at: number;
  readonly count: number;
  /** The first few calls, by tool and id. */
  readonly calls: readonly string[];
  readonly agent?: string;
}

export type NewGap = Pick<Gap, "kind" | "count" | "calls">;

export interface Coverage {
  /** Oldest first. */
  readonly gates: readonly Gate[];
  /** Number of tool uses that came through PreToolUse. */
  readonly passed: number;
  /** How many of them were found in a transcript. */
  readonly met: number;
  /** By actor. */
  readonly cursors: Readonly<Record<string, Cursor>>;
  readonly uses: readonly OpenUse[];
  /** Earlier tool uses are not judged, because their gate may be forgotten or was never seen. */
  readonly since: number;
  readonly gaps: readonly Gap[];
  readonly gapCount: number;
  /** Number of gaps that were reported to the agent. */
  readonly told: number;
}

export type CoverageChange =
  | (Traced & {
      readonly record: "session";
      readonly do: "cover";
      readonly actor: string;
      /** Offset before the check; of two concurrent checks only the first counts. */
      readonly from: number | null;
      readonly cursor: Omit<Cursor, "at">;
      /** `passed` when the transcript was read; later gates are not affected. */
      readonly passed: number;
      readonly met: number;
      /** Gates that were not found yet and may still be. */
      readonly kept: readonly string[];
      readonly uses: readonly Omit<OpenUse, "agent">[];
      /** Data was lost, so tool uses before now are no longer judged. */
      readonly blind?: true;
      readonly gaps?: readonly NewGap[];
    })
  /** Found at any event, without reading on. */
  | { readonly record: "session"; readonly do: "gap"; readonly gaps: readonly NewGap[] }
  | { readonly record: "session"; readonly do: "tell-gaps"; readonly upTo: number };

export const MAIN = "main";

/** Keep the record small whatever the agent does. */
export const GATES_MAX = 500;
export const GAPS_MAX = 20;
const CURSORS_MAX = 20;

export function newCoverage(since: number): Coverage {
  return { gates: [], passed: 0, met: 0, cursors: {}, uses: [], since, gaps: [], gapCount: 0, told: 0 };
}

/** A gate that is dropped unjudged excludes all earlier tool uses from the comparison. */
export function passGate(coverage: Coverage, gate: Gate): Coverage {
  const { gates: before } = coverage;
  for (let n = before.length - 1; n >= 0; n--) if (before[n]?.id === gate.id) return coverage;
  const gates = [...before, gate];
  const lost = gates.length > GATES_MAX ? gates.shift() : undefined;
  return { ...coverage, gates, passed: coverage.passed + 1, since: Math.max(coverage.since, lost?.at ?? 0) };
}

/** For an inactive session: as with any dropped gate, what is forgotten is not judged. */
export function restCoverage(coverage: Coverage, gatesMax: number): Coverage {
  const lost = coverage.gates.at(-gatesMax - 1);
  if (!lost) return coverage;
  return { ...coverage, gates: coverage.gates.slice(-gatesMax), since: Math.max(coverage.since, lost.at) };
}

export function reduceCoverage(coverage: Coverage, change: CoverageChange, now: number): Coverage {
  if (change.do === "tell-gaps") return { ...coverage, told: Math.max(coverage.told, change.upTo) };
  if (change.do === "gap")
    return withGaps(
      coverage,
      change.gaps.map((gap) => ({ ...gap, at: now })),
    );
  const { actor, cursor } = change;
  const before = Object.hasOwn(coverage.cursors, actor) ? coverage.cursors[actor] : undefined;
  if ((before?.offset ?? null) !== change.from) return coverage;
  const agent = actor === MAIN ? {} : { agent: actor };
  const gaps = (change.gaps ?? []).map((gap) => ({ ...gap, ...agent, at: now }));
  const { cursors, lost } = withCursor(coverage.cursors, actor, { ...cursor, at: now });
  return {
    ...withGaps(coverage, gaps),
    gates: stillOpen(coverage, change),
    met: coverage.met + change.met,
    cursors,
    uses: [
      ...coverage.uses.filter((use) => actorOf(use) !== actor),
      ...change.uses.map((use) => ({ ...use, ...agent })),
    ],
    since: Math.max(coverage.since, lost, change.blind ? now : 0),
  };
}

function withGaps(coverage: Coverage, gaps: readonly Gap[]): Coverage {
  if (gaps.length === 0) return coverage;
  return {
    ...coverage,
    gaps: [...coverage.gaps, ...gaps].slice(-GAPS_MAX),
    gapCount: coverage.gapCount + gaps.length,
  };
}

/**
 * Drops what only a running session needs. The host may still write lines after the last check, so a resumed session is
 * judged from the last gate that is dropped here.
 */
export function endCoverage(coverage: Coverage): Coverage {
  const { [MAIN]: main } = coverage.cursors;
  return {
    ...coverage,
    gates: [],
    uses: coverage.uses.filter((use) => actorOf(use) === MAIN),
    cursors: main ? { [MAIN]: main } : {},
    since: coverage.gates.reduce((latest, { at }) => Math.max(latest, at), coverage.since),
  };
}

export function actorOf({ agent }: { readonly agent?: string }): string {
  return agent ?? MAIN;
}

function stillOpen({ gates, passed }: Coverage, change: CoverageChange & { readonly do: "cover" }): readonly Gate[] {
  const concerned = gates.length - Math.max(0, passed - change.passed);
  return gates.filter((gate, at) => at >= concerned || actorOf(gate) !== change.actor || change.kept.includes(gate.id));
}

/** A transcript without a cursor would be read from the beginning, so nothing in it is judged then. */
function withCursor(
  cursors: Coverage["cursors"],
  actor: string,
  cursor: Cursor,
): { readonly cursors: Coverage["cursors"]; readonly lost: number } {
  const next = { ...cursors, [actor]: cursor };
  const others = Object.keys(next).filter((name) => name !== actor && name !== MAIN);
  if (others.length < CURSORS_MAX) return { cursors: next, lost: 0 };
  const oldest = others.reduce((a, b) => ((next[b]?.at ?? 0) < (next[a]?.at ?? 0) ? b : a));
  const { [oldest]: lost, ...rest } = next;
  return { cursors: rest, lost: lost?.at ?? 0 };
}
