/** What waits for the agent of a session, from the journal and from the project's queue. */
import { readPart, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type InboxFound, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { valuesIn } from "../../lib/buckets.ts";
import { own } from "../../lib/keyed.ts";
import { newBox } from "../../state/inbox/box.ts";
import type { HostProcess, Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import type { Environment } from "../machine/places.ts";
import type { ReadYaml } from "../yaml.ts";
import { identity } from "./identity.ts";
import { queueFound } from "./queue.ts";

interface Looking {
  readonly readYaml?: ReadYaml;
  readonly event: HookEvent;
  readonly env: Environment;
  readonly settings: Settings;
  readonly state: State | Unknown;
  readonly parentOf: (session: Session | undefined) => HostProcess;
  readonly places: { readonly home: string; readonly journal: string; readonly project: string };
}

export function* inboxFound(from: Looking): Steps<InboxFound | null | Unknown> {
  const { event, state, places } = from;
  if (isUnknown(state)) return state;
  const actor = own(state.sessions, event.session)?.actor ?? (yield* begunAs(from));
  if (actor === undefined) return null;
  const { inbox } = yield* readPart(places.journal, "inbox");
  const box = own(inbox.boxes, actor) ?? newBox;
  const queue = queueFound(actor, box, from);
  return {
    actor,
    box,
    asked: Object.fromEntries(Object.entries(inbox.requests).filter(([, { from: by }]) => by === actor)),
    working: valuesIn(inbox.tasks).flatMap(({ id, status, holder }) =>
      status === "in_progress" && holder?.actor === actor && holder.session === event.session ? [id] : [],
    ),
    ...(queue && { queue }),
  };
}

/** At the start of a session its name is not recorded yet. */
function* begunAs(from: Looking): Steps<string | undefined> {
  return from.event.name === "SessionStart" ? (yield* identity(from)).name : undefined;
}
