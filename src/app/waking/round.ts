/** One look at all agents: each that has something to read is woken, waited for, or given up. */
import { own } from "../../lib/keyed.ts";
import { markOf } from "../../lib/sha256.ts";
import { madeId } from "../../state/inbox/made-id.ts";
import type { MailRecord, MessageRecord } from "../../state/inbox/records.ts";
import { type RoleSettings, standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import type { Wake, Wakes } from "../../state/wakes/part.ts";
import type { WakeRecord, WakeWay } from "../../state/wakes/record.ts";
import { wakeText } from "../../state/wakes/text.ts";
import type { Due } from "./due.ts";
import { APART_MS, mayClear, nextStep, type Standing } from "./steps.ts";

/** What happened, for whoever watches. */
export interface WakeNews {
  readonly actor: string;
  readonly is: WakeRecord["do"];
  readonly by?: WakeWay;
  readonly why?: string;
}

export interface Waker {
  now(): number;
  /** Who is due, and the last wake of each. */
  look(): { readonly due: readonly Due[]; readonly wakes: Wakes };
  standingOf(due: Due): Standing["is"];
  /** Undefined if the host's own hook wakes it. */
  wayTo(due: Due): WakeWay | undefined;
  /** Puts aside what is in the way. Returns how to send a text, or why that can't be done now. */
  prepare(due: Due, way: WakeWay): Promise<string | Send>;
  keep(record: WakeRecord | MessageRecord | MailRecord): void;
  newToken(): string;
  /** Calls for another round after this time. */
  later(ms: number): void;
  tell(news: WakeNews): void;
  isReachable(actor: string): boolean;
  readonly roles: RoleSettings;
  readonly everyMs: number;
  /** The host's command that forgets the conversation. */
  readonly clearCommand: string;
}

export async function wakeRound(waker: Waker): Promise<void> {
  const { due, wakes } = waker.look();
  for (const one of due) {
    const wake = own(wakes, one.actor);
    const { id: session, upto } = one;
    const { lastAt, actors } = one.session;
    const isBegun = own(actors, "main")?.event === "UserPromptSubmit";
    const standing = { is: waker.standingOf(one), session, lastAt, isBegun, upto };
    const way = waker.wayTo(one);
    const step = nextStep(wake, { ...standing, way, everyMs: waker.everyMs }, waker.now());
    if (step.do === "wait") waker.later(step.ms);
    if (step.do === "woken") told(waker, one, "woken", wake?.by);
    if (step.do === "fail") giveUp(waker, one, step.why, wake);
    // Typing takes a while, so the others are looked at anew.
    if (step.do === "try" && way) return tryOne(waker, one, way, wakes);
  }
}

async function tryOne(waker: Waker, due: Due, way: WakeWay, wakes: Wakes): Promise<void> {
  const since = waker.now() - lastTry(wakes);
  const wake = own(wakes, due.actor);
  // Two agents are not woken at the same moment.
  if (since >= 0 && since < APART_MS) return waker.later(APART_MS - since);
  const send = await waker.prepare(due, way);
  if (typeof send === "string") told(waker, due, "left", way, { why: send });
  else if (due.clear !== undefined && way === "tmux" && mayClear(wake, waker.now())) await clear(waker, due, send);
  else {
    const token = waker.newToken();
    const mark = markOf(token).slice(0, 16);
    // Before it is typed: what then appears in the pane is known to be ours.
    told(waker, due, "try", way, { token: mark });
    const problem = await send(wakeText(token));
    if (problem !== undefined) told(waker, due, "left", way, { why: problem, token: mark });
  }
  waker.later(0);
}

type Send = (text: string) => Promise<string | undefined>;

/** The message has done what it asked for, so it is read. */
async function clear(waker: Waker, due: Due, send: Send): Promise<void> {
  const { actor, clear: n = 0 } = due;
  told(waker, due, "try", "tmux", { clear: true });
  const problem = await send(waker.clearCommand);
  if (problem !== undefined) return told(waker, due, "left", "tmux", { why: problem, token: "" });
  waker.keep({ kind: "mail", do: "read", box: actor, numbers: [[n, n]] });
}

function lastTry(wakes: Wakes): number {
  return Math.max(0, ...Object.values(wakes).map(({ at }) => at));
}

function told(
  waker: Waker,
  { actor, id, upto }: Due,
  what: WakeRecord["do"],
  by: WakeWay | undefined,
  more: Pick<WakeRecord, "token" | "why" | "clear"> = {},
): void {
  const how = by && { by };
  waker.keep({ kind: "wake", do: what, actor, session: id, upto, ...how, ...more });
  waker.tell({ actor, is: what, ...how, ...(more.why !== undefined && { why: more.why }) });
}

/** The supervisor is told once for each session that can't be woken. The messages stay where they are. */
function giveUp(waker: Waker, due: Due, why: string, before: Wake | undefined): void {
  const { actor, id, upto, waiting } = due;
  told(waker, due, "fail", before?.by, { why });
  if (before?.last === "fail" && before.session === id) return;
  const count = `${waiting.count} message${waiting.count === 1 ? "" : "s"} or task${waiting.count === 1 ? "" : "s"}`;
  waker.keep({
    ...{ kind: "message", id: madeId(`wake ${actor} ${id} ${upto}`), type: "escalation" },
    ...{ to: toldInstead(waker, actor), from: actor, importance: "high" },
    subject: `${actor} could not be woken: ${why}`,
    body: [`${count} for ${actor} stay unread:`, ...waiting.lines.map((line) => `- ${line}`)].join("\n"),
  });
}

/** Somebody who can't be woken either is passed over, so that no two agents escalate to each other. */
function toldInstead({ roles, isReachable }: Waker, actor: string): string {
  const { supervisor } = standingOf(actor, roles);
  return supervisor !== "" && supervisor !== PERSON && isReachable(supervisor) ? supervisor : PERSON;
}
