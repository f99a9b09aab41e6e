/** The door for people: what grants something or takes the guard away is refused to an agent's processes. */
import type { State } from "../state/state.ts";
import { agentAbove, callersOf } from "../world/agent-above.ts";
import { adopterOf } from "../world/castaway.ts";
import { CommandError } from "./print.ts";

export function requirePerson(verb: string): void {
  const reason = agentAbove(process.env, process.pid);
  if (reason !== undefined) refuse(verb, reason);
}

/** For verbs that open something: also refused to a process without parents. Returns who called, for the record. */
export function requirePersonSince(verb: string, { sessions }: State): string {
  const clients = Object.values(sessions).flatMap(({ client }) => (client ? [client] : []));
  const adopter = adopterOf(process.pid, clients);
  if (adopter !== undefined) refuse(verb, `its parents are gone, and ${adopter} has taken their place`);
  return callersOf(process.pid);
}

/** For what both may do: only who it was goes on the record. */
export function isPerson({ sessions }: State): boolean {
  const clients = Object.values(sessions).flatMap(({ client }) => (client ? [client] : []));
  return agentAbove(process.env, process.pid) === undefined && adopterOf(process.pid, clients) === undefined;
}

function refuse(verb: string, reason: string): never {
  throw new CommandError(
    `sekisho ${verb} is for people only, and this looks like an agent's shell (${reason}).\n` +
      "Run it yourself in a terminal that no agent has opened.",
  );
}
