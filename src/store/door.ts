/** The gatehouse's door as it is kept on the disk: which port is this user's, and what a hook must show there. */

import type * as Crypto from "node:crypto";
import { constants, linkSync, mkdirSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtin } from "./builtin.ts";
import { discard } from "./discard.ts";
import { withFile } from "./file.ts";

interface KeptDoor {
  readonly port: number;
  /** Stands in the client's settings, where anybody of this user can read it: it keeps strangers out, not the agent. */
  readonly token: string;
  /** Never leaves this directory: whoever can answer a challenge with it is the gatehouse. */
  readonly key: string;
}

/** What a hook needs to know. */
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

/** Taken away, for certain: one that cannot be read at the moment is still there. */
export function doorIsGone(stateRoot: string): boolean {
  try {
    return statSync(fileIn(stateRoot), { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    void error;
    return false;
  }
}

/** The door there is, else a new one; whoever makes it first makes it for all. */
export function ensureDoor(stateRoot: string): Door {
  const there = readDoor(stateRoot);
  if (there) return there;
  keep(stateRoot, newDoor(), linkSync);
  const made = readDoor(stateRoot);
  if (!made) throw new Error(`${fileIn(stateRoot)} is there but cannot be read as a door; remove it and try again`);
  return made;
}

/**
 * For a port that somebody else holds: whatever is registered with the old door must be written anew. With `known`, for a
 * door that was lost: the one that hooks still know, with a new key.
 */
export function moveDoor(stateRoot: string, known?: Door): Door {
  const fresh = newDoor();
  const door = known && isWhole({ ...fresh, ...known }) ? { ...fresh, ...known } : fresh;
  keep(stateRoot, door, renameSync);
  return { port: door.port, token: door.token };
}

/** Below the ports that systems hand out by themselves, above the ones that services are known by. */
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
    // No door, or one that cannot be read, is no door: the fast lane is then not there.
    void error;
    return undefined;
  }
}

/** An empty key would let anybody answer for us, and an empty token would let anybody in. */
function isWhole({ port, token, key }: KeptDoor): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536 && token.length >= 16 && key.length >= 16;
}
