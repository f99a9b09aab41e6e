/** The daemon's connection data on disk: this user's port, and the token that a hook must present. */

import type * as Crypto from "node:crypto";
import { constants, linkSync, mkdirSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtin } from "./builtin.ts";
import { discard } from "./journal/discard.ts";
import { withFile } from "./journal/file.ts";

interface KeptDoor {
  readonly port: number;
  /** In the host's settings, where any process of this user can read it: it keeps strangers out, not the agent. */
  readonly token: string;
  /** Never leaves this directory: a process that answers a challenge with it is the daemon. */
  readonly key: string;
}

/** The part that a hook needs. */
type Door = Pick<KeptDoor, "port" | "token">;

export function gatehouseIn(stateRoot: string): string {
  return join(stateRoot, "gatehouse");
}

export function readDoor(stateRoot: string): Door | undefined {
  const kept = readKept(stateRoot);
  return kept && { port: kept.port, token: kept.token };
}

export function readKey(stateRoot: string): string | undefined {
  return readKept(stateRoot)?.key;
}

/** True only if the file is certainly gone; one that cannot be read right now still exists. */
export function doorIsGone(stateRoot: string): boolean {
  try {
    return statSync(fileIn(stateRoot), { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    void error;
    return false;
  }
}

/** The existing door, else a new one; when several processes create it, the first one wins. */
export function ensureDoor(stateRoot: string): Door {
  const there = readDoor(stateRoot);
  if (there) return there;
  keep(stateRoot, newDoor(), linkSync);
  const made = readDoor(stateRoot);
  if (!made) throw new Error(`${fileIn(stateRoot)} is there but cannot be read as a door; remove it and try again`);
  return made;
}

/**
 * For a port taken by another program: every hook registered with the old door must be rewritten. With `known`, for a
 * lost door: the data that hooks still use, with a new key.
 */
export function moveDoor(stateRoot: string, known?: Door): Door {
  const fresh = newDoor();
  const door = known && isWhole({ ...fresh, ...known }) ? { ...fresh, ...known } : fresh;
  keep(stateRoot, door, renameSync);
  return { port: door.port, token: door.token };
}

/** Below the ephemeral ports and above the well-known ones. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;

function newDoor(): KeptDoor {
  const { randomBytes, randomInt } = builtin<typeof Crypto>("node:crypto");
  return {
    port: randomInt(PORT_MIN, PORT_MAX),
    token: randomBytes(24).toString("base64url"),
    key: randomBytes(32).toString("base64url"),
  };
}

function keep(stateRoot: string, door: KeptDoor, put: (from: string, to: string) => void): void {
  const directory = gatehouseIn(stateRoot);
  const temporary = join(directory, `.door.${process.pid}.${door.port}.tmp`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temporary, JSON.stringify(door), { flag: "wx", mode: 0o600 });
    put(temporary, fileIn(stateRoot));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    discard(temporary);
  }
}

function fileIn(stateRoot: string): string {
  return join(gatehouseIn(stateRoot), "door.json");
}

const BYTES_MAX = 4096;

function readKept(stateRoot: string): KeptDoor | undefined {
  try {
    const text = withFile(fileIn(stateRoot), constants.O_RDONLY, (fd) => {
      const bytes = Buffer.allocUnsafe(BYTES_MAX);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, null));
    });
    const { port, token, key } = JSON.parse(text) as Partial<Record<keyof KeptDoor, unknown>>;
    if (typeof port !== "number" || typeof token !== "string" || typeof key !== "string") return undefined;
    return isWhole({ port, token, key }) ? { port, token, key } : undefined;
  } catch (error) {
    // A missing or unreadable door means that the fast lane is not set up.
    void error;
    return undefined;
  }
}

/** With an empty key anyone could answer as the daemon, and with an empty token anyone could connect. */
function isWhole({ port, token, key }: KeptDoor): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536 && token.length >= 16 && key.length >= 16;
}
