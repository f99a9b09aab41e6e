/** Starts a mode in a session, or leaves it waiting for the next one. */
import { relative } from "node:path";
import { PLAN_BYTES_MAX, PROMISE_CHARS_MAX, startChanges, writtenBytes } from "../../kernel/mode-start.ts";
import { inline } from "../../lib/text.ts";
import { boxesIn } from "../../reading/documents/plan-boxes.ts";
import { knownMode, MODES, type Mode, type ModeName, modeInForce } from "../../state/session/modes.ts";
import type { Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { callersOf } from "../../world/machine/agent-above.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import { projectFile } from "../../world/machine/project-file.ts";
import { rootOf } from "../../world/machine/work-tree.ts";

import { host } from "../host.ts";
import { isPerson } from "../mail/actor.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { isRunning, type Named, sessionAbove, sessionNamed, sessionsIn, severalSessions } from "../queries/sessions.ts";
import { keepAction, UNSIGNED } from "./action.ts";

export interface ModeWish {
  readonly mode: ModeName;
  readonly task: string;
  readonly plan: string | undefined;
  readonly promise: string | undefined;
  readonly max: string | undefined;
  readonly session: string | undefined;
}

/** Who starts it: a person, with the origin for the record, or the agent for itself. */
export type Starter = { readonly person: string } | { readonly agent: number };

/** Who runs this process. */
export function starterHere({ store }: Here): Starter {
  return isPerson(orFail(store.read())) ? { person: callersOf(process.pid) } : { agent: process.pid };
}

export function modeNamed(word: string): ModeName {
  const name = knownMode(word.trim().toLowerCase());
  if (!name) throw new Problem(`There is no mode "${word}". It is one of ${MODES.join(", ")}.`);
  return name;
}

export interface StartedMode {
  /** False: the mode was on already, and nothing was changed. */
  readonly isNew: boolean;
  readonly mode: Pick<Mode, "max" | "plan" | "promise" | "task"> & Partial<Pick<Mode, "count" | "since">>;
  /** Null: the mode waits for the next session. */
  readonly session: string | null;
}

/** Agents may start modes too, because a mode only restricts its own session. A person's mode replaces the agent's. */
export function startMode({ store, places, settings }: Here, wish: ModeWish, starter: Starter): StartedMode {
  const { mode: name, task } = wish;
  refuseIdle(name, wish);
  const state = orFail(store.read());
  const now = Date.now();
  const owner = ownerOf(state, wish.session, starter, now);
  const session = owner?.[0] ?? null;
  const held = modeInForce(owner ? owner[1].modes : state.modes, name, now);
  if (held && (held.by !== "agent" || "agent" in starter)) return { isNew: false, mode: held, session };
  const plan = wish.plan === undefined ? undefined : planIn(wish.plan, places.project);
  const changes = startChanges(
    name,
    {
      ...{ by: "person" in starter ? "command" : "agent", task },
      ...(plan !== undefined && { plan }),
      ...(wish.promise !== undefined && { promise: promiseOf(wish.promise) }),
      ...(wish.max !== undefined && { max: maxOf(wish.max) }),
    },
    settings.settings,
  );
  const by = "person" in starter ? `from ${starter.person}` : "by the agent itself";
  keepAction(
    store,
    { action: "mode", detail: `start ${name}, ${by}`, ...(owner && { session: owner[0] }), changes },
    now,
    UNSIGNED,
  );
  return { isNew: true, mode: changes[0], session };
}

/** Options that would have no effect are errors. */
function refuseIdle(name: ModeName, { plan, promise }: ModeWish): void {
  if (plan === undefined) return;
  if (name !== "persistent") {
    const how = name === "qa" ? "qa goes by the checks of the project" : "turbo goes by the agent's task list";
    throw new Problem(`--plan belongs to persistent: ${how}. Nothing was started.`);
  }
  if (promise !== undefined)
    throw new Problem("With --plan its boxes count, and no --promise beside them. Nothing was started.");
}

/** Undefined when the mode waits for the next session. */
function ownerOf(state: State, asked: string | undefined, starter: Starter, now: number): Named | undefined {
  const byPerson = "person" in starter;
  if (asked !== undefined) {
    const named = sessionNamed(state, asked);
    if (isRunning(named[1], now)) return named;
    throw new Problem(`Session ${named[0]} is over. Without --session the mode waits for the next one.`);
  }
  const above = "agent" in starter ? sessionAbove(state, starter.agent, now) : undefined;
  if (above) return above;
  const running = sessionsIn(state).filter(([, one]) => isRunning(one, now) && (byPerson || mayBeAbove(one)));
  if (running.length > 1)
    throw severalSessions(running, "Several sessions are running here. Say which with --session:", now);
  if (!byPerson && running.length === 0)
    throw new Problem("No running session of this project could be found above this shell.");
  return running[0];
}

/** A session with a known host process that is not an ancestor belongs to another agent. */
function mayBeAbove({ client }: Session): boolean {
  return client === undefined || client.started === "";
}

function planIn(given: string, project: string): string {
  const file = projectFile(process.cwd(), given, given, host.layout);
  const refuse = (problem: string): never => {
    throw new Problem(`--plan ${inline(given)} ${problem}. Nothing was started.`);
  };
  if ("problem" in file) return refuse(file.problem);
  const text = rewritableText(file.path);
  if (text === undefined) return refuse("is not there");
  if (boxesIn(text).total === 0) return refuse("has no boxes (list items such as `- [ ] a step`)");
  const path = relative(rootOf(process.cwd(), project), file.path);
  return writtenBytes(path) <= PLAN_BYTES_MAX ? path : refuse(`has a path longer than ${PLAN_BYTES_MAX} bytes`);
}

/** Rejects < and >, because the agent says the promise between two tags. */
function promiseOf(given: string): string {
  const words = inline(given, PROMISE_CHARS_MAX + 1);
  if (words === "" || words.length > PROMISE_CHARS_MAX || /[<>]/.test(words))
    throw new Problem(`--promise takes 1 to ${PROMISE_CHARS_MAX} characters without < and >.`);
  return words;
}

const MAX_MAX = 60;

function maxOf(given: string): number {
  const max = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (max < 1 || max > MAX_MAX) throw new Problem(`--max takes a whole number from 1 to ${MAX_MAX}, not "${given}".`);
  return max;
}
