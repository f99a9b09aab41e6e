/** `sekisho inbox watch`: shows what comes for whoever runs it and, for a person, wakes the agents. */
import { spawn } from "node:child_process";
import { once as happened } from "node:events";
import { PERSON } from "../../state/roles/presets.ts";
import { actorHere, rolesIn } from "../mail/actor.ts";
import { type Here, orFail } from "../project.ts";
import { type Arrived, watchInbox } from "../queries/inbox-watch.ts";
import type { WakeNews } from "./round.ts";
import { wakeAgents } from "./watch.ts";

export interface Watching {
  readonly onArrived: (arrived: readonly Arrived[]) => void;
  readonly onWake: (news: WakeNews) => void;
  /** Another process wakes the agents already. */
  readonly onHeld: (pid: number) => void;
  readonly ring: () => void;
  /** A command of the person's own that is run instead of the bell. */
  readonly run: string | undefined;
  /** Ends with the first message. */
  readonly once: boolean;
}

/** Ends by a signal. An agent that runs it sees its own messages and wakes nobody. */
export async function watchAgents(place: Here, watching: Watching): Promise<void> {
  rolesIn(place);
  const { name } = actorHere(orFail(place.store.read()), Date.now());
  const stop = new AbortController();
  const { signal } = stop;
  const end = (): void => stop.abort();
  for (const one of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(one, end);
  const shown = watchInbox(place, { onArrived: watching.onArrived, once: watching.once, signal }).finally(end);
  const woken = name === PERSON ? waking(place, watching, signal) : undefined;
  try {
    await Promise.all([shown, woken]);
  } finally {
    end();
  }
}

async function waking(place: Here, { onWake, onHeld, ring, run }: Watching, signal: AbortSignal): Promise<void> {
  const call = async (actor: string): Promise<string | undefined> =>
    run === undefined ? void ring() : ran(run, actor, signal);
  const held = await wakeAgents(place, { tell: onWake, call, callsBy: run === undefined ? "bell" : "command", signal });
  if (held) onHeld(held.heldBy);
}

const RUN_MS = 30_000;

/** The name of the agent is a variable and never a part of the command. */
async function ran(command: string, actor: string, signal: AbortSignal): Promise<string | undefined> {
  const options = { env: { ...process.env, SEKISHO_WAKES: actor }, stdio: "ignore", timeout: RUN_MS, signal } as const;
  try {
    const [code] = (await happened(spawn("/bin/sh", ["-c", command], options), "close")) as [number | null];
    return code === 0 ? undefined : `the command ended with ${code ?? "a signal"}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
