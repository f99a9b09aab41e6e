/** What is remembered so that the host's own transcript can be held against what came through the gate. */

/** A tool use that came through the gate and has not been met in a transcript yet. */
export interface Gate {
  readonly id: string;
  readonly at: number;
  /** The subagent that made it, in whose own transcript it will be met. */
  readonly agent?: string;
}

/** How far a transcript is read. */
export interface Cursor {
  readonly offset: number;
  /** Of the bytes before the offset: a file that was rewritten has others there. */
  readonly mark: string;
  readonly at: number;
  /** That was the end of the file then. */
  readonly whole: boolean;
}

/** A tool use of the transcript that has not been met at the gate, and of which it is not known yet whether it ran. */
export interface OpenUse {
  readonly id: string;
  readonly tool: string;
  readonly agent?: string;
}

/** bypass: it ran and never came through the gate. phantom: the gate was asked about a tool use that does not exist. */
export type GapKind = "bypass" | "phantom";

export interface Gap {
  readonly kind: GapKind;
  readonly at: number;
  readonly count: number;
  /** The first few, by tool and id. */
  readonly calls: readonly string[];
  readonly agent?: string;
}

export interface Coverage {
  /** Oldest first. */
  readonly gates: readonly Gate[];
  /** How many came through the gate so far. */
  readonly passed: number;
  /** How many of them were met in a transcript. */
  readonly met: number;
  /** By actor. */
  readonly cursors: Readonly<Record<string, Cursor>>;
  readonly uses: readonly OpenUse[];
  /** What was used before is not judged: its gate may be forgotten, or was never ours. */
  readonly since: number;
  readonly gaps: readonly Gap[];
  readonly gapCount: number;
  /** How many gaps the agent has been told of. */
  readonly told: number;
}

export type CoverageChange =
  | {
      readonly record: "session";
      readonly do: "cover";
      readonly actor: string;
      /** Where the cursor stood: of two checks at the same time only the first counts. */
      readonly from: number | null;
      readonly cursor: Omit<Cursor, "at">;
      /** `passed` when the transcript was read: what came through the gate since is not concerned. */
      readonly passed: number;
      readonly met: number;
      /** Gates that were not met and may still be. */
      readonly kept: readonly string[];
      readonly uses: readonly Omit<OpenUse, "agent">[];
      /** Something was lost on the way: whatever was used before now is not judged any more. */
      readonly blind?: true;
      readonly gaps?: readonly Pick<Gap, "kind" | "count" | "calls">[];
    }
  | { readonly record: "session"; readonly do: "tell-gaps"; readonly upTo: number };

export const MAIN = "main";

/** Limits that keep the record small whatever the agent does. */
export const GATES_MAX = 500;
export const GAPS_MAX = 20;
const CURSORS_MAX = 20;

export function newCoverage(since: number): Coverage {
  return { gates: [], passed: 0, met: 0, cursors: {}, uses: [], since, gaps: [], gapCount: 0, told: 0 };
}

/** A gate that falls out unjudged takes everything used before it out of the comparison. */
export function passGate(coverage: Coverage, gate: Gate): Coverage {
  if (coverage.gates.some(({ id }) => id === gate.id)) return coverage;
  const gates = [...coverage.gates, gate];
  const lost = gates.length > GATES_MAX ? gates.shift() : undefined;
  return { ...coverage, gates, passed: coverage.passed + 1, since: Math.max(coverage.since, lost?.at ?? 0) };
}

/** Of a session that nobody has heard of for a while: what is forgotten is not judged, as with any gate that falls out. */
export function restCoverage(coverage: Coverage, gatesMax: number): Coverage {
  const lost = coverage.gates.at(-gatesMax - 1);
  if (!lost) return coverage;
  return { ...coverage, gates: coverage.gates.slice(-gatesMax), since: Math.max(coverage.since, lost.at) };
}

export function reduceCoverage(coverage: Coverage, change: CoverageChange, now: number): Coverage {
  if (change.do === "tell-gaps") return { ...coverage, told: Math.max(coverage.told, change.upTo) };
  const { actor, cursor } = change;
  const before = Object.hasOwn(coverage.cursors, actor) ? coverage.cursors[actor] : undefined;
  if ((before?.offset ?? null) !== change.from) return coverage;
  const agent = actor === MAIN ? {} : { agent: actor };
  const gaps = (change.gaps ?? []).map((gap) => ({ ...gap, ...agent, at: now }));
  const { cursors, lost } = withCursor(coverage.cursors, actor, { ...cursor, at: now });
  return {
    ...coverage,
    gates: stillOpen(coverage, change),
    met: coverage.met + change.met,
    cursors,
    uses: [
      ...coverage.uses.filter((use) => actorOf(use) !== actor),
      ...change.uses.map((use) => ({ ...use, ...agent })),
    ],
    since: Math.max(coverage.since, lost, change.blind ? now : 0),
    gaps: [...coverage.gaps, ...gaps].slice(-GAPS_MAX),
    gapCount: coverage.gapCount + gaps.length,
  };
}

/**
 * What only a running session needs goes. The client may write its last lines after our last look: whoever takes the
 * session up again is judged from the last gate that is forgotten here.
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

/** A transcript whose cursor is forgotten would be read from its beginning: nothing in it is judged then. */
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
