/** A shell command as an operation: what it runs, what it does to files, and how far that reaches. */

import { effectsOf } from "./line-effects.ts";
import type { WholeReach } from "./operation-domain.ts";
import type { Effect } from "./operation-effects.ts";
import { reachOf } from "./operation-risk.ts";
import { type Place, readShell } from "./shell.ts";
import type { ShellReading } from "./shell-reading.ts";

export interface ReadCommand {
  readonly shell: ShellReading;
  readonly effects: readonly Effect[];
  readonly reach: WholeReach;
}

/** The heavy half of `operationOf`: the build leaves it out of the bundle for events that are not about a shell. */
export function readCommand(command: string, place: Place): ReadCommand {
  const read = readShell(command, place);
  const { effects, isCrowded } = effectsOf(read);
  const shell: ShellReading = isCrowded ? { ...read, unknown: [...read.unknown, "too many commands"] } : read;
  return { shell, effects, reach: reachOf(shell, effects, place) };
}
