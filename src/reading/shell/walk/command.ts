/** A shell command as an operation: its invocations, its effects on files, its domain and its risk. */

import type { WholeReach } from "../../operation/domain.ts";
import type { Effect } from "../../operation/effects.ts";
import { effectsOf } from "../../operation/line-effects.ts";
import { reachOf } from "../../operation/risk.ts";
import type { ShellReading } from "../parse/reading.ts";
import { type Place, readShell } from "../parse/shell.ts";

export interface ReadCommand {
  readonly shell: ShellReading;
  readonly effects: readonly Effect[];
  readonly reach: WholeReach;
}

/** The heavy half of `operationOf`. Loaded on demand, in `shell.cjs`. */
export function readCommand(command: string, place: Place): ReadCommand {
  const read = readShell(command, place);
  const { effects, isCrowded } = effectsOf(read);
  const shell: ShellReading = isCrowded ? { ...read, unknown: [...read.unknown, "too many commands"] } : read;
  return { shell, effects, reach: reachOf(shell, effects, place) };
}
