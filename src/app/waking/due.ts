/** The agents that have something to read, each with the session that it works in. */
import type { InboxFound } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { type Waiting, waitingFor } from "../../policies/inbox/digest.ts";
import { newBox } from "../../state/inbox/box.ts";
import type { Inbox } from "../../state/inbox/part.ts";
import { PERSON } from "../../state/roles/presets.ts";
import type { Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { isRunning, sessionsIn } from "../queries/sessions.ts";

export interface Due {
  readonly actor: string;
  readonly id: string;
  readonly session: Session;
  readonly waiting: Waiting;
  /** The newest number in its inbox. */
  readonly upto: number;
  /** The number of a message that asks to clear the conversation. */
  readonly clear?: number;
}

interface Looking {
  readonly now: number;
  readonly deliveries: number;
  /** What other tools wrote into its queue. */
  readonly queueOf: (actor: string, box: InboxFound["box"]) => InboxFound["queue"];
}

/** An agent that never was here has nobody to wake; one that was told often enough is left alone, its supervisor knows. */
export function dueAgents(
  state: State & { readonly inbox: Inbox },
  { now, deliveries, queueOf }: Looking,
): readonly Due[] {
  return Object.entries(sessionsByActor(state, now)).flatMap(([actor, [id, session]]) => {
    const box = own(state.inbox.boxes, actor) ?? newBox;
    const queue = queueOf(actor, box);
    const found: InboxFound = { actor, box, asked: {}, working: [], ...(queue && { queue }) };
    const waiting = waitingFor(found, now, deliveries);
    const upto = box.next - 1 + (queue?.fresh.length ?? 0);
    return waiting.count === 0 ? [] : [{ actor, id, session, waiting, upto }];
  });
}

/** The running session of each name, or else the newest. */
export function sessionsByActor(state: State, now: number): Readonly<Record<string, readonly [string, Session]>> {
  const found: Record<string, readonly [string, Session]> = {};
  for (const [id, session] of sessionsIn(state)) {
    const { actor } = session;
    if (actor === undefined || actor === PERSON) continue;
    const known = own(found, actor);
    if (!known || (!isRunning(known[1], now) && isRunning(session, now))) found[actor] = [id, session];
  }
  return found;
}
