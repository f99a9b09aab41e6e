/** Whom a message reaches, and whether its sender may write to them. */
import { BYTES_PER_HOUR, bytesOf, COUNT_PER_HOUR, isAllowed } from "../../state/inbox/allowance.ts";
import { isMadeId } from "../../state/inbox/made-id.ts";
import type { Inbox } from "../../state/inbox/part.ts";
import type { MessageRecord } from "../../state/inbox/records.ts";
import { mayWriteTo, type RoleSettings, standingOf } from "../../state/roles/names.ts";
import type { State } from "../../state/state.ts";
import type { MessageIds } from "../../store/journal/message-ids.ts";
import { Problem } from "../problem.ts";
import { type Actor, knownActors, recipients } from "./actor.ts";
import type { Parcel } from "./parcel.ts";

/** One message of a parcel. */
export interface Addressed {
  /** The recipient as the sender named it: an agent, a group, an inbox with a name of its own. */
  readonly target: string;
  readonly record: MessageRecord;
}

export interface Team {
  readonly roles: RoleSettings;
  readonly state: State & { readonly inbox: Inbox };
  readonly actor: Actor;
}

export function addressed(parcel: Parcel, team: Team): readonly Addressed[] {
  if (isMadeId(parcel.id)) throw new Problem("Ids that begin like this are Sekisho's own. Choose another id.");
  const { targets, from } = routeOf(parcel, team);
  const { session } = team.actor;
  refuseTooMuch(team, targets.size, bytesOf(parcel.draft));
  return [...targets].map(([to, target]) => ({
    target,
    record: {
      ...{ kind: "message", id: parcel.id, to, from, ...parcel.draft },
      ...(session !== undefined && { session }),
    },
  }));
}

/** Whether a message that is sent again is there. An id of another sender's would be answered, and the message lost. */
export function isThere({ to, id, from }: MessageRecord, ids: Pick<MessageIds, "senderOf"> | undefined): boolean {
  const sender = ids?.senderOf(to, id);
  if (sender === undefined || sender === from) return sender === from;
  throw new Problem(`${sender} has sent another message with the id ${id} to ${to}. Choose another id.`);
}

/** Before anything else is looked at: no part of a wrong target reaches a file name. */
export function routeOf(
  { to: named, from: given }: Pick<Parcel, "to" | "from">,
  { roles, state, actor }: Team,
): { readonly targets: ReadonlyMap<string, string>; readonly from: string } {
  const known = knownActors(state, state.inbox);
  const targets = new Map(named.flatMap((target) => recipients(target, roles, known).map((to) => [to, target])));
  if (targets.size === 0) throw new Problem("Name the agent that the message is for.");
  const from = senderOf(actor, given, roles, known);
  for (const to of targets.keys()) refuseSkipping(actor, from, to, roles);
  return { targets, from };
}

/** A person may speak in the name of an agent's inbox, as the scripts of the original do. */
function senderOf(
  { name, session }: Actor,
  given: string | undefined,
  roles: RoleSettings,
  known: readonly string[],
): string {
  if (session !== undefined || given === undefined || given === "") return name;
  return recipients(given, roles, [...known, "unknown"])[0] ?? name;
}

/** An agent that sends without end would hold up the others and fill the disk. */
export function refuseTooMuch({ actor, state }: Pick<Team, "actor" | "state">, count: number, bytes: number): void {
  const { session } = actor;
  if (session === undefined || isAllowed(state.inbox.sent, session, { count, bytes }, Date.now())) return;
  throw new Problem(
    `This session may send ${COUNT_PER_HOUR} messages and tasks and ${BYTES_PER_HOUR / 1024 / 1024} MB of text in an hour, and this is more.\n` +
      "Put long texts into a file and send its path.",
  );
}

function refuseSkipping({ session }: Actor, from: string, to: string, roles: RoleSettings): void {
  if (session === undefined || mayWriteTo(from, to, roles)) return;
  const { supervisor, writesTo = [] } = standingOf(from, roles);
  const others = [...new Set([supervisor, ...writesTo])].filter((name) => name !== "").join(", ");
  throw new Problem(`${from} does not write to ${to} in this team. ${from} writes to: ${others}.`);
}
