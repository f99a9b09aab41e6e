/** The file that holds a person's key: the public half to read, the private half under a passphrase. */
import { constants, fstatSync, readSync, statSync } from "node:fs";
import type { KeyFileState } from "../kernel/facts.ts";
import { NOBODYS_KEY, type PersonKey } from "../state/person-key.ts";
import type { KeyInForce } from "./authority.ts";
import { withFile } from "./journal/file.ts";

/** The private half, encrypted with a key that scrypt derives from the passphrase. */
export interface Locked {
  readonly salt: string;
  readonly cost: number;
  readonly iv: string;
  readonly tag: string;
  readonly sealed: string;
}

export interface KeyFile extends PersonKey {
  readonly locked: Locked;
}

/** The name ends so that the rules about key material apply to it. */
export function keyFileIn(stateRoot: string): string {
  return `${stateRoot}/person.key`;
}

const BYTES_MAX = 4096;

/** `off`: a person chose to have no key. Undefined: there is no file. A broken file is nobody's key. */
export function readKeyFile(stateRoot: string): KeyFile | "off" | "broken" | undefined {
  let text: string;
  try {
    // Most users have none, and an exception would cost more than this look.
    if (statSync(keyFileIn(stateRoot), { throwIfNoEntry: false }) === undefined) return undefined;
    text = withFile(keyFileIn(stateRoot), constants.O_RDONLY, (fd) => {
      if (!fstatSync(fd).isFile()) throw new Error("not a regular file");
      const bytes = Buffer.allocUnsafe(BYTES_MAX);
      return bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, 0));
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "broken";
  }
  return parsed(text) ?? "broken";
}

function parsed(text: string): KeyFile | "off" | undefined {
  try {
    const { off, publicKey, since, locked } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (off === true) return "off";
    const { salt, cost, iv, tag, sealed } = (locked ?? {}) as Partial<Record<keyof Locked, unknown>>;
    const isWhole =
      typeof publicKey === "string" &&
      /^[A-Za-z0-9_-]{43}$/.test(publicKey) &&
      typeof since === "number" &&
      Number.isInteger(since) &&
      [salt, iv, tag, sealed].every((field) => typeof field === "string") &&
      typeof cost === "number";
    return isWhole ? { publicKey, since, locked: { salt, cost, iv, tag, sealed } as Locked } : undefined;
  } catch (error) {
    void error;
    return undefined;
  }
}

/** The key in force where no hook names one. */
export function keyInFile(stateRoot: string): KeyInForce {
  const file = readKeyFile(stateRoot);
  if (file === undefined) return {};
  if (file === "off") return { isOff: true };
  if (file === "broken") return { key: NOBODYS_KEY };
  return { key: { publicKey: file.publicKey, since: file.since } };
}

/** How the file compares with the key that the hooks name. Without its file a key can verify but no longer sign. */
export function keyFileState({ publicKey }: PersonKey, stateRoot: string): KeyFileState {
  const file = readKeyFile(stateRoot);
  if (file === undefined || file === "off") return "gone";
  return file !== "broken" && file.publicKey === publicKey ? "as-named" : "other";
}
