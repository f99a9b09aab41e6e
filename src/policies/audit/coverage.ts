/**
 * Compares the transcript with the gate in both directions: calls that bypassed the gate, and gate requests without a
 * call.
 */
import type { Transcript, TranscriptUse } from "../../kernel/facts.ts";
import { commandMark } from "../../kernel/marks.ts";
import { traceIn } from "../../kernel/testimony.ts";
import { inline } from "../../lib/text.ts";
import type { Calls } from "../../state/session/calls.ts";
import {
  actorOf,
  type Coverage,
  type CoverageChange,
  type Cursor,
  type Gap,
  type Gate,
  type NewGap,
  type OpenUse,
} from "../../state/session/coverage.ts";

/** The host usually writes its transcript within about a tenth of a second. */
const LAG_MS = 2_000;
/** A gate request counts as made up only after this time and one complete reading without it. */
const PATIENCE_MS = 10_000;

/** Keeps records small. Items that do not fit are not judged, and the record says so. */
const BYTES_MAX = 400;
const CALLS_SHOWN = 3;

export type Comparison = CoverageChange & { readonly do: "cover" };

export function compare(
  coverage: Coverage,
  actor: string,
  transcript: Transcript,
  now: number,
  calls: Calls["calls"] = {},
): Comparison {
  const { cursor } = transcript;
  const last = Object.hasOwn(coverage.cursors, actor) ? coverage.cursors[actor] : undefined;
  const mine = coverage.gates.filter((gate) => actorOf(gate) === actor);
  const appeared = new Set(
    [...transcript.uses, ...transcript.results, ...coverage.uses.filter((use) => actorOf(use) === actor)].map(
      ({ id }) => id,
    ),
  );
  const { bypassed, open } = pastTheGate(coverage, actor, transcript, readBefore(transcript, last));
  const unmet = mine.filter(({ id }) => !appeared.has(id));
  const isLate = ({ at }: Gate): boolean => at + LAG_MS < (last?.at ?? 0) && at + PATIENCE_MS < now;
  const canTell = !transcript.broken && cursor.whole && last?.whole === true;
  const phantoms = canTell ? unmet.filter(isLate) : [];
  const waiting = transcript.broken ? [] : unmet.filter((gate) => !phantoms.includes(gate)).map(({ id }) => id);
  const kept = fitting(waiting);
  const uses = fitting(open);
  const blind = transcript.broken || kept.length < waiting.length || uses.length < open.length;
  const judged = new Map(mine.map(({ id, mark }) => [id, mark]));
  const isOther = ({ id, command }: TranscriptUse): boolean =>
    command !== undefined && judged.get(id) !== undefined && commandMark(command) !== judged.get(id);
  const rewritten = transcript.uses.filter(isOther);
  const { confirmed = [], over = [] } = traceIn(calls, transcript);
  const gaps = [...gapOf("bypass", bypassed), ...gapOf("phantom", phantoms), ...gapOf("rewritten", rewritten)];
  return {
    record: "session",
    do: "cover",
    actor,
    from: last?.offset ?? null,
    cursor,
    passed: coverage.passed,
    met: mine.length - unmet.length,
    kept,
    uses,
    ...(blind && { blind }),
    ...(gaps.length > 0 && { gaps }),
    ...(confirmed.length > 0 && { confirmed: fitting(confirmed) }),
    ...(over.length > 0 && { over: fitting(over) }),
  };
}

/** Only calls that ran: a call rejected by the host never reaches the gate. */
function pastTheGate(
  coverage: Coverage,
  actor: string,
  { uses, results }: Transcript,
  readBefore: number,
): { readonly bypassed: readonly Use[]; readonly open: readonly Use[] } {
  const gates = new Set(coverage.gates.map(({ id }) => id));
  const since = Math.max(coverage.since, readBefore);
  const carried = coverage.uses.filter((use) => actorOf(use) === actor);
  const fresh = uses.filter(({ at }) => at > since);
  const strange = new Map([...carried, ...fresh].map(({ id, tool }) => [id, { id, tool }]));
  for (const id of gates) strange.delete(id);
  const ran = new Map(results.map((result) => [result.id, result.ran]));
  const all = [...strange.values()];
  return { bypassed: all.filter(({ id }) => ran.get(id) === true), open: all.filter(({ id }) => !ran.has(id)) };
}

type Use = Omit<OpenUse, "agent">;

/**
 * Lines from before this time were already read and matched. They may appear again: a compaction may rewrite them with
 * their old time, and a changed file is read from its beginning.
 */
function readBefore({ broken }: Transcript, last: Cursor | undefined): number {
  if (!last) return 0;
  if (broken) return last.at;
  return last.whole ? last.at - LAG_MS : 0;
}

function gapOf(
  kind: Gap["kind"],
  calls: readonly { readonly id: string; readonly tool?: string }[],
): readonly NewGap[] {
  if (calls.length === 0) return [];
  const shown = calls.slice(0, CALLS_SHOWN).map(({ id, tool = "" }) => ascii(inline(`${tool} ${id}`, 60), "?"));
  return [{ kind, count: calls.length, calls: shown }];
}

/**
 * The host makes the ids, and a hostile host may put anything there. No character takes more than three bytes per unit.
 */
function ascii(value: string, instead: string): string {
  return value.replace(/[^ -~]/g, instead);
}

/** The newest items that fit. */
function fitting<T>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  let first = items.length;
  while (first > 0) {
    bytes += ascii(JSON.stringify(items[first - 1]), "xxx").length + 1;
    if (bytes > BYTES_MAX) break;
    first--;
  }
  return items.slice(first);
}
