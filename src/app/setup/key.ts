/** How `init` deals with the person's key: makes one, keeps the one there is, or switches it off. */
import { rmSync } from "node:fs";
import { keyText } from "../../state/person-key.ts";
import { keyFileIn } from "../../store/key-file.ts";
import { keepKeyFile, newKey } from "../../store/key-making.ts";
import { isoTime } from "../../views/time.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { type Doer, keepAction, UNSIGNED } from "../actions/action.ts";
import type { KeyHere, Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, here, orFail } from "../project.ts";

/** The person's wish. Without a passphrase, and not off: everything stays as it is. */
export interface Protection {
  readonly passphrase?: string;
  /** The person wants none, also if there was one. */
  readonly isOff: boolean;
}

/** Four short words, or a dozen letters that are in no dictionary. */
const LENGTH_MIN = 12;

export function weakness(passphrase: string): string | undefined {
  const letters = [...passphrase];
  if (letters.length < LENGTH_MIN) return `Use at least ${LENGTH_MIN} characters, for example four words.`;
  return new Set(letters).size < 5 ? "Use more different characters." : undefined;
}

export function refuseWeak({ passphrase }: Protection): void {
  const problem = passphrase === undefined ? undefined : weakness(passphrase);
  if (problem !== undefined) throw new Problem(`${problem} Nothing was changed.`);
}

/** Whether `init` may set a passphrase: there is none yet. */
export function maySetPassphrase(state: KeyHere["state"]): boolean {
  return state === "none" || state === "off";
}

export interface Keying {
  /** As the hooks will name the key. */
  readonly name: string | undefined;
  readonly doer: Doer;
  /** Once the hooks are registered: records it, signed. */
  settle(path: string): void;
  /** The hooks could not be registered. */
  drop(error: unknown): never;
}

export function keyingFor({ passphrase, isOff }: Protection, before: Here, person: Person): Keying {
  if (passphrase !== undefined) return withNewKey(passphrase, before);
  return {
    name: isOff ? undefined : before.program.key,
    doer: isOff ? UNSIGNED : person,
    settle(path) {
      if (isOff) keepKeyFile(stateRoot(process.env), "off");
      record(path, isOff ? UNSIGNED : person);
    },
    drop(error) {
      throw error;
    },
  };
}

function withNewKey(passphrase: string, before: Here): Keying {
  const root = stateRoot(process.env);
  const { file, sign } = newKey(passphrase, Date.now());
  keepKeyFile(root, file);
  return {
    name: keyText(file),
    doer: { sign },
    settle(path) {
      record(path, { sign });
      signHabits(before, { sign });
    },
    drop(error) {
      rmSync(keyFileIn(root), { force: true });
      throw error;
    },
  };
}

function record(path: string, doer: Doer): void {
  keepAction(here().store, { action: "init", detail: path }, Date.now(), doer);
}

/** Grants and pauses last hours and are given again if needed; what was accepted for weeks is signed anew. */
function signHabits(before: Here, doer: Doer): void {
  const { store } = here();
  for (const [id, { proof: _, ...habit }] of Object.entries(orFail(before.store.read()).habits)) {
    const detail = `${id} until ${isoTime(habit.until)}, signed by init: ${habit.shape}`;
    keepAction(
      store,
      { action: "accept", detail, changes: [{ record: "habit", do: "accept", id, habit }] },
      Date.now(),
      doer,
    );
  }
}
