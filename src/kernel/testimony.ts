/** What the host's transcript says about the changes that wait for it: confirmed, contradicted, or nothing yet. */
import { own } from "../lib/keyed.ts";
import { inline } from "../lib/text.ts";
import {
  type Awaited,
  type Awaits,
  entryKey,
  type Heard,
  keyOf,
  SPOILED,
  type WitnessChange,
} from "../state/session/awaiting.ts";
import type { Calls, Traced } from "../state/session/calls.ts";
import { type Coverage, type Cursor, type GapKind, MAIN, type NewGap } from "../state/session/coverage.ts";
import type { Transcript, TranscriptPrompt, TranscriptUse } from "./facts.ts";
import { commandMark, wordsMark } from "./marks.ts";

export interface Testimony {
  readonly settled?: WitnessChange;
  readonly gaps: readonly NewGap[];
}

/** Hooks of other tools may hold a prompt for a while before ours is asked. */
const EARLY_MS = 60_000;
/** The transcript lags; nothing counts as missing before this time and a complete reading. */
const LAG_MS = 2_000;
const PATIENCE_MS = 10_000;

type Told = Readonly<Record<string, Transcript>>;

/** Whether the host also reported the cause over its own connection. */
export type SightOf = (item: Awaited) => "seen" | "unseen" | "unknown";

export function testify(
  awaiting: readonly Awaited[],
  told: Told,
  coverage: Coverage,
  now: number,
  sightOf?: SightOf,
  before: Heard = {},
): Testimony {
  const spent = spentOn(before);
  const findings = awaiting.map((item) => {
    const found = findingOf(item, told, coverage, now, spent);
    const both = found.is === "seen" && sightOf ? bothSaw(item, sightOf(item)) : found;
    if ((both.is === "seen" || found.is === "void") && found.entry !== undefined) spent.spend(item, found.entry);
    return { item, ...both };
  });
  const heard = spent.heard();
  const seen = keysOf(findings, "seen");
  const isVoid = keysOf(findings, "void").filter((key) => !seen.includes(key));
  const kinds = [...new Set(findings.flatMap(({ gap }) => gap ?? []))];
  const gaps = kinds.map((kind) => {
    const found = findings.flatMap(({ gap, item }) => (gap === kind ? [item] : []));
    // One prompt may carry several changes; it is named by the weightiest.
    const named = new Map([...found].sort(byWeight).map((item) => [keyOf(item.awaits), whatOf(item)]));
    const calls = [...named.values()];
    return { kind, count: calls.length, calls: calls.slice(0, CALLS_SHOWN) };
  });
  const isSettled = seen.length > 0 || isVoid.length > 0;
  const settled: WitnessChange = {
    ...{ record: "session", do: "witness" },
    ...(seen.length > 0 && { seen }),
    ...(isVoid.length > 0 && { void: isVoid }),
    ...(heard && { heard }),
  };
  return { ...(isSettled && { settled }), gaps };
}

/** The open calls that this reading shows, as they were judged, and those that have a result. */
export function traceIn(calls: Calls["calls"], { uses, results }: Transcript): Traced {
  const isJudged = ({ id, command }: TranscriptUse): boolean => {
    const call = own(calls, id);
    return call !== undefined && (command === undefined || call.mark === commandMark(command));
  };
  const confirmed = uses.filter(isJudged).map(({ id }) => id);
  const over = results.filter(({ id }) => own(calls, id)?.background === false).map(({ id }) => id);
  return { ...(confirmed.length > 0 && { confirmed }), ...(over.length > 0 && { over }) };
}

/** No call in the foreground runs longer. */
export const LONGEST_MS = 600_000;

/**
 * The end of a turn comes after all its calls have ended. While the transcript shows a call without a result, a Stop was
 * sent by that call, and its refusal must not use up the real ones.
 */
export function isDoubtful(calls: Calls["calls"], now: number): boolean {
  return Object.values(calls).some(
    ({ met, over, background, aside, asks, at }) =>
      met && !over && !background && !aside && !asks && now - at < LONGEST_MS,
  );
}

const CALLS_SHOWN = 3;

interface Finding {
  readonly is: "seen" | "void" | "open";
  readonly gap?: GapKind;
  /** The time of the prompt in the transcript that confirms or contradicts it. */
  readonly entry?: number;
}

const OPEN: Finding = { is: "open" };

/** Which prompts of the transcript belong to an event. Each belongs to one, with all the changes of that event. */
interface Spent {
  isFree(mark: string, event: number, entry: number): boolean;
  spend(item: Awaited, entry: number): void;
  isKnown(mark: string): boolean;
  /** Another session sent these words before this event, as a prompt or as a slash command. */
  isSpoiled(prompt: string, event: number): boolean;
  /** What this reading added. */
  heard(): Heard | undefined;
}

function spentOn(before: Heard): Spent {
  const used = new Map<string, { readonly event: number; readonly entry: number }>();
  return {
    isFree: (mark, event, entry) => {
      const last = used.get(mark);
      return last === undefined ? entry > (own(before, mark) ?? -1) : last.event === event || entry > last.entry;
    },
    spend: ({ awaits, at }, entry) => void ("prompt" in awaits && used.set(entryKey(awaits), { event: at, entry })),
    isKnown: (mark) => used.has(mark) || own(before, mark) !== undefined,
    isSpoiled: (prompt, event) =>
      [prompt, entryKey({ prompt, expanded: true })].some((mark) => {
        const last = used.get(mark);
        return (last && last.event !== event ? last.entry : own(before, mark)) === SPOILED;
      }),
    heard: () =>
      used.size === 0 ? undefined : Object.fromEntries([...used].map(([mark, { entry }]) => [mark, entry])),
  };
}

function findingOf(item: Awaited, told: Told, { cursors }: Coverage, now: number, spent: Spent): Finding {
  const actor = item.awaits.agent ?? MAIN;
  const transcript = Object.hasOwn(told, actor) ? told[actor] : undefined;
  if (!transcript) return OPEN;
  const found =
    "call" in item.awaits ? callIn(item.awaits, transcript) : promptIn(item, item.awaits, transcript, spent);
  if (found.is !== "open") return found;
  const last = Object.hasOwn(cursors, actor) ? cursors[actor] : undefined;
  return isOverdue(item, transcript, last, now) ? overdue(item, spent) : OPEN;
}

/** The transcript can be written by a program of the agent; the host's connection cannot. */
function bothSaw({ awaits }: Awaited, sight: ReturnType<SightOf>): Finding {
  if (sight === "unseen") return { is: "void", gap: "call" in awaits ? "forged" : "prompt" };
  return sight === "seen" ? { is: "seen" } : OPEN;
}

function callIn({ call, mark, met }: Extract<Awaits, { call: string }>, { uses, results }: Transcript): Finding {
  const use = uses.find(({ id }) => id === call);
  if (use?.command !== undefined && commandMark(use.command) !== mark) return { is: "void", gap: "rewritten" };
  if (!use && !met) return OPEN;
  const result = results.find(({ id }) => id === call);
  if (!result) return OPEN;
  // Success was reported of a call that failed.
  return result.failed ? { is: "void", gap: "forged" } : { is: "seen" };
}

function promptIn(
  { at }: Awaited,
  awaits: Extract<Awaits, { prompt: string }>,
  { prompts = [] }: Transcript,
  spent: Spent,
): Finding {
  const { prompt, from } = awaits;
  const recent = prompts.filter((one) => one.at + EARLY_MS >= at);
  if (from === "break") return recent.some((one) => one.from === "break") ? { is: "seen" } : OPEN;
  if (isPersons(from) && spent.isSpoiled(prompt, at)) return { is: "void" };
  const same = recent.filter((one) => wordsMark(one.words) === prompt && spent.isFree(entryKey(awaits), at, one.at));
  const found = same.find((one) => counts(one.from, from));
  const foreign = same.find((one) => one.from !== "said" && !counts(one.from, from));
  // A second host that the agent starts can write the same words as a person's, before or after these.
  if (found && !(foreign && isPersons(from))) return { is: "seen", entry: found.at };
  if (!foreign) return OPEN;
  // The daemon has seen these words from now on, and an agent can wait before a second host writes them.
  if (foreign.from === "peer") return { is: "void", entry: isPersons(from) ? SPOILED : foreign.at, gap: "prompt" };
  // A schedule, or a program's words while a command was running, is honest, but no person's.
  return { is: "void", entry: foreign.at };
}

function isPersons(from: Extract<Awaits, { prompt: string }>["from"]): boolean {
  return from === undefined || from === "busy";
}

function counts(origin: TranscriptPrompt["from"], wanted: Extract<Awaits, { prompt: string }>["from"]): boolean {
  if (wanted === "task") return origin === "task";
  if (wanted === "agent") return origin === "said";
  return origin === "person" || (origin === "program" && wanted !== "busy");
}

/** A complete reading after its time did not show it, and neither does this one. */
function isOverdue({ at }: Awaited, { cursor, broken }: Transcript, last: Cursor | undefined, now: number): boolean {
  if (broken || !cursor.whole || last?.whole !== true) return false;
  return at + LAG_MS < last.at && at + PATIENCE_MS < now;
}

/** A prompt that a hook held back is in no transcript, so only those that end or approve something are reported. */
function overdue({ awaits, change }: Awaited, spent: Spent): Finding {
  if ("call" in awaits) return { is: "void", ...(!awaits.met && { gap: "forged" }) };
  if (awaits.from === "task") return { is: "void", gap: "forged" };
  // Two registrations report the same prompt twice.
  const isEcho = awaits.again !== undefined || spent.isKnown(entryKey(awaits));
  return { is: "void", ...(isWeighty(change) && !isEcho && { gap: "prompt" }) };
}

function byWeight(a: Awaited, b: Awaited): number {
  return Number(isWeighty(a.change)) - Number(isWeighty(b.change));
}

function isWeighty({ record, do: what }: Awaited["change"]): boolean {
  return record === "mode" || what === "approve";
}

function keysOf(findings: readonly { readonly item: Awaited; readonly is: Finding["is"] }[], is: Finding["is"]) {
  return [...new Set(findings.flatMap((one) => (one.is === is ? [keyOf(one.item.awaits)] : [])))];
}

function whatOf({ awaits, change }: Awaited): string {
  const about =
    change.record === "mode"
      ? "cancel"
      : change.do === "approve"
        ? `approve ${(change as { name?: string }).name}`
        : change.do;
  return inline("call" in awaits ? `${awaits.call}` : about, 60).replace(/[^ -~]/g, "?");
}
