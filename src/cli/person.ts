/** The door for people: what grants something or takes the guard away is refused to an agent's processes. */
import { agentAbove, callersOf } from "../world/agent-above.ts";
import { CommandError } from "./print.ts";

/** Returns who called, for the record. */
export function requirePerson(verb: string): string {
  const reason = agentAbove(process.env, process.pid);
  if (reason === undefined) return callersOf(process.pid);
  throw new CommandError(
    `sekisho ${verb} is for people only, and this looks like an agent's shell (${reason}).\n` +
      "Run it yourself in a terminal that no agent has opened.",
  );
}
