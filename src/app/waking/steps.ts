/** What is next for an agent that has something to read. Everything about time and limits is here. */
import type { Wake } from "../../state/wakes/part.ts";
import type { WakeWay } from "../../state/wakes/record.ts";

/** An event of the session must come within this time. */
export const ANSWER_MS = 10_000;
export const TRIES_MAX = 3;
/** Between two agents. */
export const APART_MS = 2000;

/** A session whose conversation was cleared is left alone for a while, and is not cleared again soon. */
const CLEARED_MS = 30_000;
const CLEAR_AGAIN_MS = 300_000;

export function mayClear(wake: Wake | undefined, now: number): boolean {
  return wake?.clearedAt === undefined || Math.abs(now - wake.clearedAt) >= CLEAR_AGAIN_MS;
}

export type Step =
  | { readonly do: "nothing" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "woken" }
  | { readonly do: "try" }
  | { readonly do: "fail"; readonly why: string };

export interface Standing {
  /** `busy`: works, asks the person something, or can't be told. `gone`: its process ended without a word. */
  readonly is: "idle" | "busy" | "gone";
  readonly session: string;
  /** Its last event. */
  readonly lastAt: number;
  /** That event was a prompt. The host's registry says "idle" until our hook has answered it. */
  readonly isBegun?: boolean;
  /** The newest number in its inbox. */
  readonly upto: number;
  /** Undefined where the host's own hook waits in the session and wakes it. */
  readonly way: WakeWay | undefined;
  /** The least time between two wakes for different messages. */
  readonly everyMs: number;
}

const NOTHING: Step = { do: "nothing" };
const TRY: Step = { do: "try" };
const GONE: Step = { do: "fail", why: "its process has ended" };
/** These call a person, who needs no second call and answers in their own time. */
const CALLS: ReadonlySet<WakeWay | undefined> = new Set(["bell", "command"]);

export function nextStep(wake: Wake | undefined, standing: Standing, now: number): Step {
  const begins = standing.isBegun && now >= standing.lastAt ? standing.lastAt + ANSWER_MS - now : 0;
  if (!wake) return startIn(standing, begins);
  if (isAnswered(wake, standing)) return { do: "woken" };
  // A clock that was set back must not keep an agent asleep.
  const since = now >= wake.at ? now - wake.at : Number.POSITIVE_INFINITY;
  const pause = wake.clearedAt === wake.at ? CLEARED_MS : ANSWER_MS;
  if (isTrying(wake) && since < pause) return { do: "wait", ms: pause - since };
  const rest = Math.max(begins, standing.everyMs - since);
  return wake.upto === standing.upto ? again(wake, standing, rest) : startIn(standing, rest);
}

function startIn(standing: Standing, ms: number): Step {
  if (standing.is === "gone") return GONE;
  if (!isAsleep(standing)) return NOTHING;
  return ms > 0 ? { do: "wait", ms } : TRY;
}

/** For the same messages as before. */
function again(wake: Wake, standing: Standing, rest: number): Step {
  if (isOver(wake, standing)) return NOTHING;
  if (isAsleep(standing) && wake.tries >= TRIES_MAX) return { do: "fail", why: reasonOf(wake) };
  return startIn(standing, isTrying(wake) ? 0 : rest);
}

function isAsleep({ is, way }: Standing): boolean {
  return is === "idle" && way !== undefined;
}

/** Nothing more is done about these messages. */
function isOver({ last, session, by }: Wake, standing: Standing): boolean {
  if (last === "fail" && session === standing.session) return true;
  return CALLS.has(by) && CALLS.has(standing.way) && standing.is !== "gone";
}

function isTrying({ last }: Wake): boolean {
  return last === "try" || last === "left";
}

function isAnswered(wake: Wake, { session, lastAt }: Standing): boolean {
  return wake.last === "try" && wake.session === session && lastAt > wake.at;
}

function reasonOf({ last, why, tries }: Wake): string {
  if (last === "woken") return `it was woken ${tries} times and has not read them`;
  return why ?? `no event of its session came after ${tries} tries`;
}
