/** Messages that went through the host, and the sessions of the host that have no name of ours. */
import { own } from "../../lib/keyed.ts";
import { type Native, nativeState } from "../../state/inbox/native.ts";
import type { Inbox } from "../../state/inbox/part.ts";
import type { Letters } from "../../state/letters/part.ts";
import { standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import type { State } from "../../state/state.ts";
import { type AgentView, agentView, type LetterView, nativeView } from "../../views/inbox.ts";
import { host } from "../host.ts";
import { isPerson } from "../mail/actor.ts";
import { wholeText } from "../mail/text.ts";
import type { Here } from "../project.ts";
import { isRunning, sessionAbove } from "./sessions.ts";

/** A person sees all of them; an agent those that it sent or got. */
export function nativeMail(
  { places }: Here,
  state: State & { readonly letters: Letters },
  of: string | undefined,
): { readonly actor: string; readonly letters: readonly LetterView[] } {
  const { inbox, native } = state.letters;
  const isAll = of === undefined && isPerson(state);
  const [session = "", { actor = of ?? "" } = {}] = isAll ? [] : (sessionAbove(state, process.pid, Date.now()) ?? []);
  const isOwn = (message: Native): boolean =>
    of === undefined
      ? [message.session, message.reader, message.reader_session].includes(session)
      : message.to === of || message.from === of;
  const letters = Object.values(inbox.native.sent)
    .filter((message) => isAll || isOwn(message))
    .map((message) => nativeView(message, wholeText(places.journal, own(native, message.id) ?? {})));
  return { actor: isAll ? PERSON : actor, letters };
}

export function notArrived({ native }: Inbox, name: string, session: string | undefined): number {
  return Object.values(native.sent).filter(
    (message) =>
      // Inside one session the host reports no arrival, so only a failure says something.
      (message.reach === "session" ? nativeState(message) !== "delivered" : nativeState(message) === "failed") &&
      (message.reader_session === undefined ? message.to === name : message.reader_session === session),
  ).length;
}

/** The sessions of this project that are running, under the names by which the host's own messages find them. */
export function hostAgents(
  { places, settings }: Here,
  state: State & { readonly inbox: Inbox },
  listed: ReadonlySet<string>,
): readonly AgentView[] {
  const peers = host.peersOf?.({ env: process.env, places }) ?? [];
  return peers.flatMap(({ session, name }) => {
    const known = listed.has(session) ? undefined : own(state.sessions, session);
    if (!known) return [];
    const seen = { session, lastAt: known.lastAt, isRunning: isRunning(known, Date.now()) };
    const standing = { ...standingOf(name, settings.settings.roles), supervisor: "" };
    return [
      agentView(name, { standing, waiting: 0, notArrived: notArrived(state.inbox, name, session), tasks: [], ...seen }),
    ];
  });
}
