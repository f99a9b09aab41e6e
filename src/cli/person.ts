/** Refuses commands that grant permissions or remove protection when an agent's process runs them. */

import { orFail } from "../app/project.ts";
import { HOST, hostMarks } from "../hosts/index.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../store/store.ts";
import { agentAbove, callersOf } from "../world/machine/agent-above.ts";
import { hostProcesses } from "../world/machine/caller.ts";
import { adopterOf } from "../world/machine/castaway.ts";
import { CommandError } from "./print.ts";

/** Why this looks like an agent's shell, or undefined. */
export function agentHere(): string | undefined {
  return agentAbove(hostMarks[HOST], process.env, process.pid);
}

/** Refuses an agent's shell, and returns who called, for the record. */
export function personFor(verb: string, store: Pick<Store, "read">): string {
  requirePerson(verb);
  return requirePersonSince(verb, orFail(store.read()));
}

export function requirePerson(verb: string): void {
  const reason = agentHere();
  if (reason !== undefined) refuse(verb, reason);
}

/**
 * For commands that loosen something: also refuses a process whose parents are gone. Returns the callers, for the
 * record.
 */
export function requirePersonSince(verb: string, state: State): string {
  const adopter = adopterOf(process.pid, hostProcesses(state));
  if (adopter !== undefined) refuse(verb, `its parents are gone, and ${adopter} has taken their place`);
  return callersOf(process.pid);
}

/** For commands open to both: only tells who called, for the record. */
export function isPerson(state: State): boolean {
  return agentHere() === undefined && adopterOf(process.pid, hostProcesses(state)) === undefined;
}

function refuse(verb: string, reason: string): never {
  throw new CommandError(
    `sekisho ${verb} is for people only, and this looks like an agent's shell (${reason}).\n` +
      "Run it yourself in a terminal that no agent has opened.",
  );
}
