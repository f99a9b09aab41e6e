/** Wakes the agents of a project until it is told to end. The operating system tells of changes, and nothing is polled. */
import { randomBytes } from "node:crypto";
import { existsSync, type FSWatcher, mkdirSync, watch } from "node:fs";
import { setTimeout as passed } from "node:timers/promises";
import { plainText } from "../../disk/plain-file.ts";
import type { HostProcess } from "../../state/session/session.ts";
import { readYaml } from "../../store/settings/settings-yaml.ts";
import { queueFound, queueRoot } from "../../world/facts/queue.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { configDirectory } from "../../world/machine/places.ts";
import { host, setup } from "../host.ts";
import { knownActors, rolesIn } from "../mail/actor.ts";
import { type Here, orFail } from "../project.ts";
import { isRunning } from "../queries/sessions.ts";
import { clearOrder } from "./clearing.ts";
import { type Due, dueAgents, sessionsByActor } from "./due.ts";
import { takeLock } from "./lock.ts";
import { paneOf } from "./pane.ts";
import { type WakeNews, type Waker, wakeRound } from "./round.ts";
import { scheduleOf } from "./schedule.ts";
import { typeWake, typingPane } from "./typing.ts";
import { isWaited } from "./waiter.ts";

export interface Waking {
  readonly tell: (news: WakeNews) => void;
  /** Used where nothing can be typed: the bell, a person's own program, or the host's hook. Returns why that failed. */
  readonly call: (actor: string, text: string) => Promise<string | undefined>;
  readonly callsBy: "bell" | "command" | "host";
  readonly signal: AbortSignal;
  /** Wakes this session only, and types nothing. */
  readonly only?: string;
  /** Looked at in every round. */
  readonly isOver?: () => boolean;
}

/** Resolves at once with the process that wakes already, or when the signal comes. */
export async function wakeAgents(place: Here, waking: Waking): Promise<{ readonly heldBy: number } | undefined> {
  const { journal } = place.places;
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  const lock = takeLock(journal);
  if (typeof lock === "number") return { heldBy: lock };
  try {
    await rounds(place, waking);
    return undefined;
  } finally {
    lock.release();
  }
}

/** A burst of changes is one round. */
const SETTLE_MS = 20;

export function rounds(place: Here, waking: Waking): Promise<void> {
  const { signal } = waking;
  const registry = registryOf(place);
  const queue = queueRoot({ env: process.env, settings: place.settings.settings, places: place.places });
  const paths = [place.places.journal, registry, ...(queue === undefined ? [] : [queue])];
  const watchers = new Map<string, FSWatcher>();
  return new Promise((resolve, reject) => {
    const close = async (): Promise<void> => {
      await schedule.end();
      for (const watcher of watchers.values()) watcher.close();
    };
    const end = (): void => void close().then(resolve);
    const fail = (problem: unknown): void => void close().then(() => reject(problem as Error));
    const schedule = scheduleOf(async () => {
      // The host makes its directory with the first session.
      for (const path of paths.filter((one) => !watchers.has(one) && existsSync(one)))
        watchers.set(path, watch(path, () => schedule.later(SETTLE_MS)).on("error", fail));
      if (waking.isOver?.()) end();
      else await wakeRound(waker);
    }, fail);
    const waker = wakerOf(place, waking, registry, (ms) => schedule.later(ms));
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    else schedule.later(0);
  });
}

function registryOf({ places }: Here): string {
  return `${configDirectory(host.layout, process.env, places.home)}/${setup.waking.registry}`;
}

function wakerOf(place: Here, { tell, call, callsBy, only }: Waking, registry: string, later: Waker["later"]): Waker {
  const { store, places, settings } = place;
  const roles = rolesIn(place);
  const { deliveries, wake_seconds: seconds } = settings.settings.inbox;
  const queueOf = (actor: string, box: Parameters<typeof queueFound>[1]) =>
    queueFound(actor, box, { env: process.env, settings: settings.settings, places, readYaml });
  const typist = ({ session: { client = { pid: 0, started: "" } } }: Due) => ({
    ...{ client, waking: setup.waking, pause: (ms: number): Promise<void> => passed(ms) },
  });
  const withOrder = (due: Due): Due => {
    if (settings.settings.inbox.clear === "off") return due;
    const state = orFail(store.read(["letters"]));
    const clear = clearOrder(due.actor, state.letters, roles, knownActors(state, state.letters.inbox));
    return clear === undefined ? due : { ...due, clear };
  };
  return {
    clearCommand: setup.waking.clear,
    ...{ roles, later, tell, everyMs: seconds * 1000, now: () => Date.now() },
    look() {
      const state = orFail(store.read(["inbox", "wakes"]));
      const due = dueAgents(state, { now: Date.now(), deliveries, queueOf });
      const mine = only === undefined ? due : due.filter(({ id }) => id === only);
      return { due: mine.map(withOrder), wakes: state.wakes };
    },
    standingOf: (due) => standingIn(due, registry),
    wayTo({ id, session: { client } }) {
      if (only !== undefined || !client) return callsBy;
      if (isWaited(places.journal, id, client)) return undefined;
      return isInTmux(client) ? "tmux" : callsBy;
    },
    async prepare(due, way) {
      if (way !== "tmux") return (text) => call(due.actor, text);
      const pane = await typingPane(typist(due));
      return typeof pane === "string" ? pane : (text) => typeWake(pane, text, typist(due));
    },
    keep: (record) => void orFail(store.append(record, Date.now(), { durable: true })),
    newToken: () => randomBytes(8).toString("hex"),
    isReachable(actor) {
      const found = sessionsByActor(orFail(store.read()), Date.now())[actor];
      return found !== undefined && isRunning(found[1], Date.now());
    },
  };
}

/** A host that is stopped has its pane again when it goes on. */
function isInTmux(client: HostProcess): boolean {
  const pane = paneOf(client);
  return typeof pane === "object" || pane === "it is not in the foreground";
}

const FILE_BYTES_MAX = 64 * 1024;

/** By the host's own registry: a session that it doesn't list, or lists otherwise, is not known to be idle. */
function standingIn({ id, session: { client, endedAt } }: Due, registry: string): "idle" | "busy" | "gone" {
  if (!client) return "busy";
  if (client.started !== "" && !isAlive(client)) return "gone";
  // The host begins another conversation, or is about to end.
  if (endedAt !== undefined) return "busy";
  const running = setup.waking.runningIn(plainText(`${registry}/${client.pid}.json`, FILE_BYTES_MAX) ?? "");
  const isSame = running?.session === id && (client.started === "" || running.started === client.started);
  return isSame && running.isIdle ? "idle" : "busy";
}
