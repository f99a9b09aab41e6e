/** The other running sessions of the host, and what became of the messages that this one sent to them. */
import { type Effect, readPart, type Steps } from "../../../kernel/effect.ts";
import type { HookEvent } from "../../../kernel/event.ts";
import {
  isUnknown,
  type LostMessage,
  type PeerFound,
  type ReceiptsFound,
  type Unknown,
} from "../../../kernel/facts.ts";
import { own } from "../../../lib/keyed.ts";
import { type Native, nativeState } from "../../../state/inbox/native.ts";
import type { Session } from "../../../state/session/session.ts";
import type { State } from "../../../state/state.ts";
import type { LookingHost } from "../../host.ts";
import { isAlive } from "../../machine/caller.ts";
import type { Environment } from "../../machine/places.ts";

interface Looking {
  readonly event: HookEvent;
  readonly env: Environment;
  readonly host: LookingHost;
  readonly state: State | Unknown;
  readonly places: { readonly home: string; readonly journal: string };
  readonly now: number;
  readonly clock: () => number;
  readonly deadline: number;
}

export function peersFound(from: Looking): readonly PeerFound[] | Unknown {
  const { state, host } = from;
  if (isUnknown(state)) return state;
  return (host.peersOf?.(from) ?? []).map(({ session, name, isIdle }) => ({
    ...{ session, name, isHere: own(state.sessions, session) !== undefined },
    ...(isIdle !== undefined && { isIdle }),
  }));
}

/** An idle reader gets a message at once. Its hook needs a moment to report that. */
const AT_STOP_MS = 3000;
const STEP_MS = 150;
/** At events in the middle of a turn nobody waits, and nothing is said of younger messages. */
const YOUNG_MS = 10_000;

export function* receipts(from: Looking): Steps<ReceiptsFound | Unknown> {
  const { event, state, clock, now } = from;
  if (isUnknown(state)) return state;
  const ids = own(state.sessions, event.session)?.sent ?? [];
  const isEnd = event.name === "Stop";
  const until = Math.min(clock() + AT_STOP_MS, from.deadline - AT_STOP_MS);
  for (;;) {
    const open = yield* openOf(ids, from);
    const fates = open.map((message) => ({ message, fate: fateOf(message, from, state) }));
    const isYoung = (at: number): boolean => !isEnd && now - at < YOUNG_MS;
    if (isEnd && fates.some(({ fate }) => fate === "unread") && clock() < until) {
      yield { do: "wait", ms: STEP_MS } satisfies Effect;
      continue;
    }
    const waiting = fates.filter(({ fate, message }) => fate === "busy" || (fate === "unread" && isYoung(message.at)));
    const lost = fates.filter((one) => (one.fate === "gone" || one.fate === "unread") && !waiting.includes(one));
    const isOpen = ({ message }: { readonly message: Native }, id: string): boolean => message.id === id;
    return {
      settled: ids.filter((id) => ![...waiting, ...lost].some((one) => isOpen(one, id))),
      lost: lost.length === 0 ? [] : yield* withTexts(lost, from, state),
    };
  }
}

function* openOf(ids: readonly string[], { places }: Looking): Steps<readonly Native[]> {
  const { inbox } = yield* readPart(places.journal, "inbox");
  return ids.flatMap((id) => own(inbox.native.sent, id) ?? []).filter((message) => nativeState(message) === "queued");
}

type Fate = "unseen" | "gone" | "busy" | "unread";

/** Of a session that has no hooks of ours nobody can tell what arrives there. */
function fateOf({ reader_session: id = "", why }: Native, from: Looking, { sessions }: State): Fate {
  const reader = own(sessions, id);
  if (!reader) return "unseen";
  if (!isRunning(reader)) return "gone";
  // The host has told the sender, and tells it again when that changes.
  if (why === "held") return "busy";
  return from.host.peersOf?.(from).find(({ session }) => session === id)?.isIdle === true ? "unread" : "busy";
}

function isRunning({ endedAt, client }: Session): boolean {
  return endedAt === undefined && (client === undefined || client.started === "" || isAlive(client));
}

function* withTexts(
  lost: readonly { readonly message: Native; readonly fate: Fate }[],
  { places, event }: Looking,
  { sessions }: State,
): Steps<readonly LostMessage[]> {
  const { letters } = yield* readPart(places.journal, "letters");
  // In the host's registry a session may have any name, also that of another agent or of the person.
  const from = own(sessions, event.session)?.actor ?? event.session.slice(0, 8);
  return lost.map(({ message, fate }): LostMessage => {
    const { id, to, subject, reader_session: reader = "" } = message;
    const actor = own(sessions, reader)?.actor;
    return {
      ...{ id, to, from, subject, why: fate === "gone" ? "gone" : "unread", ...own(letters.native, id) },
      ...(actor !== undefined && { actor }),
    };
  });
}
