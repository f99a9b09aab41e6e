/** A person who runs a command: how they were let in, and the key that signs what they do. */
import { basename } from "node:path";
import { keyIn, NOBODYS_KEY, type PersonKey } from "../state/person-key.ts";
import type { JournalRecord } from "../state/record.ts";
import type { KeyInForce } from "../store/authority.ts";
import { type KeyFile, keyFileState, keyInFile, readKeyFile } from "../store/key-file.ts";
import { isSignedBy, type Sign } from "../store/signature.ts";
import type { KeyState } from "../views/signature.ts";
import { readableHostFile } from "../world/machine/host-file.ts";
import { stateRoot } from "../world/machine/places.ts";
import { registration } from "./host.ts";

export interface Person {
  /** The callers, for the record. */
  readonly from: string;
  /** Undefined where no passphrase is set, or where the action needs none. */
  readonly sign?: Sign | undefined;
}

/** What this user's key file and the hooks of a project say about the key. */
export interface KeyHere extends KeyInForce {
  /** The file, when it can sign what the hooks will believe. */
  readonly file?: KeyFile;
  readonly state: KeyState;
}

/** The hooks have the last word on which key counts; the file in the state directory holds the private half. */
export function keyHere(hostSettings: readonly string[], root: string = stateRoot(process.env)): KeyHere {
  const file = readKeyFile(root);
  const held = typeof file === "object" ? { file } : {};
  const pinned = pinnedKey(hostSettings);
  if (pinned) {
    const state = keyFileState(pinned, root);
    return state === "as-named" ? { key: pinned, ...held, state: "pinned" } : { key: pinned, state };
  }
  const state = file === undefined ? "none" : file === "off" || file === "broken" ? file : "unpinned";
  return { ...keyInFile(root), ...held, state };
}

function pinnedKey(hostSettings: readonly string[]): PersonKey | undefined {
  const named = hostSettings.flatMap((path) => registration.registrationIn(readableHostFile(path))?.key ?? []);
  const [first, ...others] = named;
  return others.some((other) => other !== first) ? NOBODYS_KEY : keyIn(first);
}

/** Leaves out actions that a person with a key did not sign, unless they are older than the key. */
export function* signedOnly(
  records: Iterable<JournalRecord>,
  { key }: KeyHere,
  journal: string,
): Generator<JournalRecord> {
  const isGood = (record: JournalRecord): boolean =>
    !key ||
    record.kind !== "action" ||
    (record.sig === undefined ? record.t < key.since : isSignedBy(key, record, basename(journal)));
  for (const record of records) if (isGood(record)) yield record;
}
