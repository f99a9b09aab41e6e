/** The one door for commands that grant something or remove protection: a person, and the person's passphrase. */

import { host } from "../app/host.ts";
import { type KeyHere, keyHere, type Person } from "../app/person.ts";
import { HOST, hostMarks } from "../hosts/index.ts";
import { languageOf, text } from "../lib/text.ts";
import type { HostProcess } from "../state/session/session.ts";
import type { State } from "../state/state.ts";
import { openKeeper } from "../store/journal/disk.ts";
import { openKey } from "../store/key-making.ts";
import { isFault } from "../store/store.ts";
import { agentAbove, callersOf } from "../world/machine/agent-above.ts";
import { hostProcesses } from "../world/machine/caller.ts";
import { adopterOf } from "../world/machine/castaway.ts";
import { placesOf } from "../world/machine/places.ts";
import { CommandError } from "./print.ts";
import { askHidden, firstLineOfInput, hasTerminal } from "./tty.ts";

/**
 * `presence`: no agent may run it. `authority`: it also needs the passphrase, where one is set. `signature`: the
 * passphrase is asked for on a terminal; without one the command runs and records nothing.
 */
export interface Demand {
  readonly verb: string;
  readonly need: "presence" | "authority" | "signature";
}

/** Why this looks like an agent's shell, or undefined. */
export function agentHere(): string | undefined {
  return agentAbove(hostMarks[HOST], process.env, process.pid);
}

/** Depends on no settings, and on the journal only for the processes of hosts, so that a broken one locks nobody in. */
export async function admit({ verb, need }: Demand, fromInput: boolean): Promise<Person> {
  const reason = agentHere();
  if (reason !== undefined) refuse(verb, reason);
  const from = callersOf(process.pid);
  if (need === "presence") return { from };
  const { hostSettings, journal } = placesOf(host.layout, process.env, process.cwd(), []);
  const key = keyHere(hostSettings);
  if (key.state === "none" || key.state === "off") {
    if (need === "authority") refuseOrphan(verb, hostsIn(journal));
    return { from };
  }
  if (need === "signature" && !fromInput && !hasTerminal()) return { from };
  return { from, sign: await unlocked(verb, key, fromInput) };
}

/** For commands open to both: only tells who called, for the record. */
export function isPerson(state: State): boolean {
  return agentHere() === undefined && adopterOf(process.pid, hostProcesses(state)) === undefined;
}

/** Without a passphrase a process whose parents are gone may have been left behind by an agent. */
function refuseOrphan(verb: string, hosts: readonly HostProcess[]): void {
  const adopter = adopterOf(process.pid, hosts);
  if (adopter !== undefined) refuse(verb, `its parents are gone, and ${adopter} has taken their place`);
}

/**
 * A journal that can't be read names no hosts. It may have been broken for that, but `uninstall` must work when
 * everything of ours is broken, also in a container whose process 1 starts shells; a passphrase closes this gap.
 */
function hostsIn(journal: string): readonly HostProcess[] {
  const state = openKeeper({ directory: journal }).read();
  return isFault(state) ? [] : hostProcesses(state);
}

function refuse(verb: string, reason: string): never {
  throw new CommandError(
    `sekisho ${verb} is for people only, and this looks like an agent's shell (${reason}).\n` +
      "Run it yourself in a terminal that no agent has opened.",
  );
}

async function unlocked(
  verb: string,
  { file, state }: KeyHere,
  fromInput: boolean,
): Promise<NonNullable<Person["sign"]>> {
  if (!file) throw new CommandError(`${LOST[state] ?? "Your key cannot be used."}\n${WAY_OUT} Nothing was changed.`);
  const passphrase = await passphraseFor(verb, fromInput);
  const open = openKey(file, passphrase);
  if (!open) throw new CommandError("Wrong passphrase. Nothing was changed.");
  return open.sign;
}

const LOST: Readonly<Partial<Record<KeyHere["state"], string>>> = {
  other: "The file with your key is not the one that the hooks name: somebody may have exchanged it.",
  gone: "The hooks name a key, and the file with that key is gone.",
  broken: "The file with your key cannot be read.",
};

const WAY_OUT = 'docs/uninstall-by-hand.md, "A lost key", says how to start over.';

async function passphraseFor(verb: string, fromInput: boolean): Promise<string> {
  if (fromInput) return firstLineOfInput();
  const language = languageOf("auto", process.env);
  const typed = await askHidden(text(`Passphrase for sekisho ${verb}: `, `sekisho ${verb} のパスフレーズ: `)[language]);
  if (typed === null) throw new CommandError("Nothing was changed.");
  if (typed !== undefined) return typed;
  throw new CommandError(
    `sekisho ${verb} asks for your passphrase, and there is no terminal to ask on.\n` +
      "Run it in a terminal, or give --passphrase-stdin and write the passphrase to its standard input.",
  );
}
