/** Decides who may act: a person, with the person's passphrase where one is set, and never an agent. */
import { HOST, hostMarks } from "../hosts/index.ts";
import type { HostProcess } from "../state/session/session.ts";
import { openKeeper } from "../store/journal/disk.ts";
import { openKey } from "../store/key-making.ts";
import { isFault } from "../store/store.ts";
import { agentAbove, callersOf } from "../world/machine/agent-above.ts";
import { hostProcesses } from "../world/machine/caller.ts";
import { adopterOf } from "../world/machine/castaway.ts";
import { placesOf } from "../world/machine/places.ts";
import { host } from "./host.ts";
import { type KeyHere, keyHere, type Person } from "./person.ts";
import { Problem } from "./problem.ts";

/**
 * `presence`: no agent may do it. `authority`: it also needs the passphrase, where one is set. `signature`: the
 * passphrase is asked for where that is possible; otherwise the action is done and records nothing.
 */
export interface Demand {
  readonly verb: string;
  readonly need: "presence" | "authority" | "signature";
}

/** How the person is asked for the passphrase. */
export interface PassphrasePrompt {
  isPossible(): boolean;
  /** Throws when nobody can be asked, or the person gave up. */
  ask(): Promise<string>;
}

/** Why this looks like an agent's shell, or undefined. */
export function agentHere(): string | undefined {
  return agentAbove(hostMarks[HOST], process.env, process.pid);
}

/** Depends on no settings, and on the journal only for the processes of hosts, so that a broken one locks nobody in. */
export async function admit({ verb, need }: Demand, prompt: PassphrasePrompt): Promise<Person> {
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
  if (need === "signature" && !prompt.isPossible()) return { from };
  return { from, sign: await unlocked(key, prompt) };
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
  throw new Problem(
    `sekisho ${verb} is for people only, and this looks like an agent's shell (${reason}).\n` +
      "Run it yourself in a terminal that no agent has opened.",
  );
}

async function unlocked({ file, state }: KeyHere, prompt: PassphrasePrompt): Promise<NonNullable<Person["sign"]>> {
  if (!file) throw new Problem(`${LOST[state] ?? "Your key cannot be used."}\n${WAY_OUT} Nothing was changed.`);
  const open = openKey(file, await prompt.ask());
  if (!open) throw new Problem("Wrong passphrase. Nothing was changed.");
  return open.sign;
}

const LOST: Readonly<Partial<Record<KeyHere["state"], string>>> = {
  other: "The file with your key is not the one that the hooks name: somebody may have exchanged it.",
  gone: "The hooks name a key, and the file with that key is gone.",
  broken: "The file with your key cannot be read.",
};

const WAY_OUT = 'docs/uninstall-by-hand.md, "A lost key", says how to start over.';
