/** What waits for the agent of a session, from the journal and from the project's queue. */
import { readPart, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type FreedTask, type InboxFound, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { valuesIn } from "../../lib/buckets.ts";
import { own } from "../../lib/keyed.ts";
import { newBox } from "../../state/inbox/box.ts";
import type { Holder } from "../../state/inbox/records.ts";
import type { Tasks } from "../../state/inbox/tasks.ts";
import type { HostProcess, Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import { isAlive } from "../machine/caller.ts";
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
  const freed = freedTasks(actor, inbox.tasks, event, state);
  return {
    actor,
    box,
    asked: Object.fromEntries(Object.entries(inbox.requests).filter(([, { from: by }]) => by === actor)),
    working: valuesIn(inbox.tasks).flatMap(({ id, status, holder }) =>
      status === "in_progress" && holder?.actor === actor && holder.session === event.session ? [id] : [],
    ),
    ...(freed.length > 0 && { freed }),
    ...(queue && { queue }),
  };
}

const FREED_MAX = 20;

/** At its own end a session still runs. */
function freedTasks(actor: string, tasks: Tasks, event: HookEvent, state: State): readonly FreedTask[] {
  const hasEnded = ({ session, ...process }: Holder): boolean =>
    event.name === "SessionEnd"
      ? session === event.session
      : own(state.sessions, session)?.endedAt !== undefined || (process.started !== "" && !isAlive(process));
  return valuesIn(tasks)
    .flatMap(({ id, status, attempt, title, by, holder }) =>
      status === "in_progress" && holder && (by === actor || holder.actor === actor) && hasEnded(holder)
        ? [{ id, attempt, title, by, holder: holder.actor }]
        : [],
    )
    .slice(0, FREED_MAX);
}

/** At the start of a session its name is not recorded yet. */
function* begunAs(from: Looking): Steps<string | undefined> {
  return from.event.name === "SessionStart" ? (yield* identity(from)).name : undefined;
}
