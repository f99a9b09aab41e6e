/** Stores V8's compiled code of a bundle for the next process: a quarter of a cold start is recompilation. */
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type * as V8 from "node:v8";
import type { Script } from "node:vm";
import { builtin } from "../../store/builtin.ts";
import { sha256Hex } from "../../store/digest.ts";
import { discard } from "../../store/journal/discard.ts";

/**
 * A bundle that the launcher has loaded. The bundle on disk always runs; the cache only speeds up compiling. V8
 * compares only the source length with the cache, so the cache file is named by content hash, Node version and
 * processor. V8 checks its flags but not for damaged bytes, so we append a checksum. The hash comes from the build,
 * because computing it at every start would cost more than the cache saves.
 */
export interface Part {
  readonly script: Pick<Script, "createCachedData">;
  /** The cache file. */
  readonly cache: string;
  /** SHA-256 of the bundle's content as built. */
  readonly hash: string;
  /** The source text that runs. */
  readonly text: () => string;
  /** How often the code had been stored before this process. */
  readonly kept: number;
  /** It is stored again after this event. */
  readonly isKept: boolean;
}

const KEPT_MAX = 7;

/**
 * V8 compiles a function at its first call, and different events call different functions. So the cache is stored again
 * with falling probability.
 */
export function isDue(kept: number, chance: number): boolean {
  return kept < KEPT_MAX && chance < 2 ** -kept;
}

/**
 * The cache remembers which functions V8 compiled to machine code. Each later process would compile these again before
 * their first call, a tenth of an event. So a process that stores its code runs without that compiler; V8 compares the
 * flags, so they are as usual again when the code is stored.
 */
export const WITHOUT_BASELINE = "--no-sparkplug";
const WITH_BASELINE = "--sparkplug";

export function keepCode(parts: readonly Part[]): void {
  const due = parts.filter(({ isKept }) => isKept);
  if (due.length > 0) builtin<typeof V8>("node:v8").setFlagsFromString(WITH_BASELINE);
  for (const { script, cache, hash, text, kept } of due) {
    // The cache is named after the built bundle, so a changed bundle must not be stored.
    if (sha256Hex(text()) === hash) writeCache(cache, script.createCachedData(), kept + 1);
  }
}

/** A cache that cannot be written only costs the next start some milliseconds. */
function writeCache(file: string, data: Buffer, kept: number): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Flushed, so that a power cut leaves no truncated cache.
    writeFileSync(temporary, summed(data, kept), { mode: 0o600, flush: true });
    renameSync(temporary, file);
    removeOld(dirname(file));
  } catch (error) {
    // Remove a partial file, for example on a full disk.
    discard(temporary);
    void error;
  }
}

/**
 * Node's internal CRC-32 takes a third of a millisecond; loading `node:zlib` would cost ten times that. Without it
 * nothing is stored.
 */
function summed(data: Buffer, kept: number): Buffer {
  const { binding } = process as unknown as { binding(name: "zlib"): ZlibBinding };
  const counted = Buffer.concat([data, Buffer.of(kept)]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(binding("zlib").crc32(counted, 0));
  return Buffer.concat([counted, sum]);
}

/** Node's internal binding behind `node:zlib`. */
export interface ZlibBinding {
  crc32(data: Uint8Array, from: number): number;
}

/** Removes caches of replaced programs. A cache still in use is rebuilt once. */
const AGE_MS_MAX = 30 * 24 * 3600 * 1000;

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = `${directory}/${name}`;
    if (Date.now() - statSync(path).mtimeMs > AGE_MS_MAX) discard(path);
  }
}
