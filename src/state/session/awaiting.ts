/** Changes that carry authority and wait until the host's own record, its transcript, confirms their cause. */
import { bounded } from "../../lib/keyed.ts";

/** Any change; the files that know all of them import this one. */
interface AnyChange {
  readonly record: string;
  readonly do: string;
}

/** The cause that the transcript must show. */
export type Awaits =
  | {
      /** The tool use, by its id. */
      readonly call: string;
      /** Mark of what was judged; the transcript must hold the same. */
      readonly mark?: string;
      /** The subagent whose transcript will hold it. */
      readonly agent?: string;
      /** The call was already found there, and only its result is missing. */
      readonly met?: true;
    }
  | {
      /** Mark of the words of a prompt, or of a subagent's last message. */
      readonly prompt: string;
      /**
       * `task`: the host's note that a background task ended. `busy`: a command of the session was still running.
       * `agent`: said by that subagent. `break`: the turn was broken off.
       */
      readonly from?: "task" | "busy" | "agent" | "break";
      readonly agent?: string;
      /** Reported as a slash command that the host expanded; the same words are reported as a prompt too. */
      readonly expanded?: true;
      /** How many prompts in the same words were waiting already. */
      readonly again?: number;
    };

export interface Awaited {
  readonly at: number;
  readonly awaits: Awaits;
  readonly change: AnyChange;
}

/** The part of a session that this file handles. */
export interface Awaiting {
  /** Oldest first. */
  readonly awaiting?: readonly Awaited[];
  /** The transcript that the host named when the session began. */
  readonly transcript?: string;
  /** Since then the host reports prompts to the daemon too, over a connection of its own. */
  readonly witnessedSince?: number;
  /** By the mark of its words: the time of the newest prompt in the transcript that has confirmed something. */
  readonly heard?: Heard;
}

export type Heard = Readonly<Record<string, number>>;

/** Instead of a time: another session sent these words, so nothing confirms them in this session any more. */
export const SPOILED = Number.MAX_SAFE_INTEGER;

/** Among the names of a session's hooks: the ones that report to the daemon beside a process. */
export function isWitnessed(registration: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.values(registration).some((marks) => marks.some((mark) => mark.endsWith(" (witness)")));
}

/** The same for the end of a turn. Hooks of earlier versions have none. */
export function reportsStops(registration: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.values(registration).some((marks) => marks.includes("Stop (witness)"));
}

/** `seen`: confirmed, takes effect. `void`: contradicted, or never confirmed. Both by the key of their cause. */
export interface WitnessChange {
  readonly record: "session";
  readonly do: "witness";
  readonly seen?: readonly string[];
  readonly void?: readonly string[];
  readonly heard?: Heard;
}

/** Keeps the state small whatever the agent does; the oldest is dropped without effect. */
export const AWAITING_MAX = 24;

/** Whoever forges an event chooses its ids, so that one cause must not pass for another. */
export function keyOf(awaits: Awaits): string {
  const { agent = "" } = awaits;
  const parts =
    "call" in awaits
      ? ["call", awaits.call, awaits.mark ?? "", agent]
      : ["prompt", entryKey(awaits), awaits.from ?? "", agent, ...(awaits.again ? [`${awaits.again}`] : [])];
  return JSON.stringify(parts);
}

/** One entry of the transcript confirms one prompt, and one expansion in the same words. */
export function entryKey({ prompt, expanded }: Extract<Awaits, { readonly prompt: string }>): string {
  return expanded ? `${prompt}/` : prompt;
}

export function awaited<S extends Awaiting>(
  session: S,
  { awaits, ...change }: AnyChange & { readonly awaits?: Awaits },
  at: number,
): S {
  if (awaits === undefined) return session;
  const item: Awaited = { at, awaits, change };
  return { ...session, awaiting: [...(session.awaiting ?? []), item].slice(-AWAITING_MAX) };
}

/** The items that a change settles as seen, oldest first. */
export function confirmedBy({ awaiting = [] }: Awaiting, { seen = [] }: WitnessChange): readonly Awaited[] {
  return awaiting.filter(({ awaits }) => seen.includes(keyOf(awaits)));
}

const HEARD_MAX = 8;
/** These are not forgotten for newer ones, so that other messages don't clear the way. */
const SPOILED_MAX = 200;

const roomFor = (heard: Heard): number =>
  HEARD_MAX + Math.min(SPOILED_MAX, Object.values(heard).filter((at) => at === SPOILED).length);

export function withoutSettled<S extends Awaiting>(session: S, change: WitnessChange): S {
  const { awaiting = [], ...before } = session;
  const heard = Object.entries(change.heard ?? {}).reduce<Heard>(
    (all, [mark, at]) => bounded(all, mark, at, roomFor(all), (one) => one),
    session.heard ?? {},
  );
  const rest = change.heard ? { ...before, heard } : before;
  const settled = [...(change.seen ?? []), ...(change.void ?? [])];
  const left = awaiting.filter(({ awaits }) => !settled.includes(keyOf(awaits)));
  return (left.length === 0 ? rest : { ...rest, awaiting: left }) as S;
}
