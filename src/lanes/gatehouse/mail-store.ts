/** How the daemon stores a message: who sends it is the session above the process that holds the connection. */
import { type Actor, actorAt, isStill, rolesIn } from "../../app/mail/actor.ts";
import { type Addressed, addressed, isThere } from "../../app/mail/address.ts";
import { type Parcel, parcelIn } from "../../app/mail/parcel.ts";
import type { Hello, MailAnswer } from "../../daemon/mail-line.ts";
import type { Program } from "../../hosts/registration.ts";
import type { Places } from "../../kernel/facts.ts";
import type { Inbox } from "../../state/inbox/part.ts";
import type { CheckedSettings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import { type MessageIds, messageIds } from "../../store/journal/message-ids.ts";
import { isFault } from "../../store/store.ts";
import { type Environment, placesOf } from "../../world/machine/places.ts";
import { holds, type Line, socketOf } from "../../world/machine/socket-owner.ts";
import { furniture, host } from "../lane.ts";
import type { Keepers, Posting } from "./keepers.ts";

export interface Store {
  /** Throws a `Problem` for the sender. */
  keep(sender: { readonly line: Line }, hello: Hello, parcel: unknown): Kept;
  /** Flushes everything that was kept; the text of a fault. */
  flush(): Promise<string | undefined>;
}

type Kept = Pick<Extract<MailAnswer, { sent: unknown }>, "sent"> | Elsewhere | { readonly problem: string };

interface Means {
  readonly placesOf: (project: string) => Places;
  readonly settingsOf: (places: Places) => CheckedSettings;
  readonly postingOf: (journal: string) => Posting;
}

export function mailMeans(running: Pick<Program, "node" | "bundle">, env: Environment, kept: Keepers): Means {
  const { settingsOf, key } = furniture(running, env);
  return {
    settingsOf,
    placesOf: (project) => placesOf(host.layout, env, project, [], project),
    postingOf: (journal) => kept.of(journal, key),
  };
}

type Elsewhere = Pick<Extract<MailAnswer, { elsewhere: unknown }>, "elsewhere">;

/** A project as it is during one batch. */
interface Project {
  readonly places: Places;
  /** Read when a message comes that may be stored already. */
  ids?: MessageIds;
  readonly posting: Posting;
  readonly settings: CheckedSettings;
  readonly state: State & { readonly inbox: Inbox };
}

const JOURNALS_MAX = 8;

export function mailStore({ placesOf, settingsOf, postingOf }: Means): Store {
  const ids = new Map<string, MessageIds>();
  const actors = new WeakMap<object, Actor>();
  /** By project, for one batch. */
  const open = new Map<string, Project | Elsewhere>();

  const opened = (places: Places): Project | Elsewhere => {
    const posting = postingOf(places.journal);
    const state = posting.read(["inbox"]);
    return isFault(state) ? { elsewhere: state.fault } : { places, posting, settings: settingsOf(places), state };
  };

  const projectOf = (hello: Hello): Project | Elsewhere => {
    const project = open.get(hello.project) ?? opened(placesOf(hello.project));
    open.set(hello.project, project);
    if ("elsewhere" in project) return project;
    const { journal, settingsFiles } = project.places;
    // Other variables may name other places than ours.
    const isHere = journal === hello.journal && settingsFiles.join("\n") === hello.settingsFiles.join("\n");
    return isHere ? project : { elsewhere: "the daemon keeps this project in another place" };
  };

  const actorOf = (sender: { readonly line: Line }, { pid }: Hello, state: State, now: number): Actor | undefined => {
    const before = actors.get(sender);
    const actor = before && isStill(before, state, now) ? before : actorOn(sender.line, pid, state, now);
    if (actor) actors.set(sender, actor);
    return actor;
  };

  /** Once per batch: what a sender repeats was written before the batch began. */
  const idsIn = (project: Project): MessageIds => {
    const { journal } = project.places;
    const known = ids.get(journal) ?? messageIds(journal);
    ids.delete(journal);
    ids.set(journal, known);
    const [oldest] = ids.keys();
    if (ids.size > JOURNALS_MAX && oldest !== undefined) ids.delete(oldest);
    known.catchUp();
    return known;
  };

  return {
    keep(sender, hello, given) {
      const now = Date.now();
      const project = projectOf(hello);
      if ("elsewhere" in project) return project;
      const { state, settings } = project;
      const actor = actorOf(sender, hello, state, now);
      if (!actor) return { elsewhere: "the process at the other end could not be found" };
      const parcel = parcelIn(given);
      const messages = addressed(parcel, { roles: rolesIn({ settings }), state, actor });
      if (parcel.again) project.ids ??= idsIn(project);
      const problem = posted(messages, parcel, project, now);
      if (problem !== undefined) return { problem };
      return { sent: messages.map(({ target, record: { id, to, from } }) => ({ id, to, from, target })) };
    },
    async flush() {
      const touched = [...open.values()].flatMap((project) => ("posting" in project ? [project.posting] : []));
      open.clear();
      const faults = await Promise.all(touched.map((posting) => posting.flush()));
      return faults.find((fault) => fault !== undefined)?.fault;
    },
  };
}

/** The text of a fault. Nothing is posted if one of the ids is another sender's. */
function posted(
  messages: readonly Addressed[],
  { again }: Pick<Parcel, "again">,
  { posting, ids }: Project,
  now: number,
): string | undefined {
  const stored = new Set(messages.filter(({ record }) => again && isThere(record, ids)));
  for (const message of messages) {
    const { record } = message;
    const fault = stored.has(message) ? posting.touch() : posting.post(record, now);
    if (fault) return fault.fault;
    ids?.add(record.to, record.id, record.from);
  }
  return undefined;
}

/** Undefined if the process doesn't hold the connection, or nobody can tell. */
function actorOn(line: Line, pid: number, state: State, now: number): Actor | undefined {
  const socket = socketOf(line);
  return socket !== undefined && holds(pid, socket) ? actorAt(pid, state, now) : undefined;
}
