/** Who acts on the inbox: the session that a process belongs to, or a person. */
import { HOST, hostMarks } from "../../hosts/index.ts";
import { own } from "../../lib/keyed.ts";
import type { Inbox } from "../../state/inbox/part.ts";
import { actorsNamed, allNames, nearest, type RoleSettings } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import type { State } from "../../state/state.ts";
import { agentAbove, isOfAgent } from "../../world/machine/agent-above.ts";
import { hostProcesses } from "../../world/machine/caller.ts";
import { adopterOf } from "../../world/machine/castaway.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { isRunning, sessionAbove } from "../queries/sessions.ts";

export interface Actor {
  readonly name: string;
  /** Absent for a person. */
  readonly session?: string;
}

/** Whether a person acts, and no agent: by the processes above, and for this process also by its variables. */
export function isPerson(state: State, pid = process.pid): boolean {
  const marks = hostMarks[HOST];
  const isAgent = pid === process.pid ? agentAbove(marks, process.env, pid) !== undefined : isOfAgent(marks, pid);
  return !isAgent && adopterOf(pid, hostProcesses(state)) === undefined;
}

export function actorHere(state: State, now: number): Actor {
  return actorAt(process.pid, state, now);
}

/** By the processes above the given one: a variable in an agent's shell changes nothing. */
export function actorAt(pid: number, state: State, now: number): Actor {
  if (isPerson(state, pid)) return { name: PERSON };
  const above = sessionAbove(state, pid, now);
  if (!above) throw new Problem("No running session of this project could be found above this shell.");
  const [session, { actor }] = above;
  if (actor !== undefined) return { name: actor, session };
  throw new Problem(
    "This session has no name among the agents, so it can't send or get messages.\n" +
      "A person can give it one: start the session with SEKISHO_AGENT=NAME.",
  );
}

/** Whether a process that was this actor still is. Its place among the processes is not looked up again. */
export function isStill({ name, session }: Actor, state: State, now: number): boolean {
  if (session === undefined) return true;
  const found = own(state.sessions, session);
  return found?.actor === name && isRunning(found, now);
}

export const ROLES_OFF =
  "Messages between agents are off in this project.\nA person can switch them on: `sekisho config set roles.preset lead`.";

export function rolesIn({ settings }: Pick<Here, "settings">): RoleSettings {
  const { roles } = settings.settings;
  if (roles.preset !== "off") return roles;
  throw new Problem(ROLES_OFF);
}

/** Names without a role: of sessions that were here, and of inboxes that hold something. */
export function knownActors({ sessions }: State, { boxes }: Inbox): readonly string[] {
  return [...new Set([...Object.values(sessions).flatMap(({ actor }) => actor ?? []), ...Object.keys(boxes)])];
}

/** The agents that a target names. Nothing is touched before this. */
export function recipients(target: string, roles: RoleSettings, known: readonly string[]): readonly string[] {
  const found = actorsNamed(target, roles, known);
  if (found.length > 0) return found;
  const shown = JSON.stringify(target.slice(0, 60));
  throw new Problem(`There is no agent ${shown}. Known: ${nearest(target, allNames(roles, known)).join(", ")}.`);
}

/** One agent, where a group makes no sense. */
export function recipient(target: string, roles: RoleSettings, known: readonly string[]): string {
  const [actor = "", ...others] = recipients(target, roles, known);
  if (others.length > 0) throw new Problem(`${target} stands for ${others.length + 1} agents; name one of them.`);
  return actor;
}
