/** Keeps V8's compiled code of a bundle for the next process: a quarter of a cold start is compiling what was compiled before. */
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Script } from "node:vm";
import { sha256Hex } from "./store/digest.ts";
import { discard } from "./store/discard.ts";

/**
 * A bundle that the launcher has loaded. What runs is always the bundle as it is on the disk. V8 itself compares only its
 * length with the cache, so the cache is named by the content it was made from, the version of Node and the processor;
 * V8 checks its flags and refuses what does not fit. A damaged byte it would believe, and break over: so a sum of ours
 * stands behind the code. The hash is the build's: to compute one at every start would cost more than the cache saves.
 */
export interface Part {
  readonly script: Pick<Script, "createCachedData">;
  /** The file of its cache. */
  readonly cache: string;
  /** SHA-256 of the bundle's content, as it was built. */
  readonly hash: string;
  /** The content that runs. */
  readonly text: () => string;
  /** How often the code was kept before this process began with it. */
  readonly kept: number;
}

/**
 * V8 compiles a function when it is first called, and another event calls others: so what was kept is kept again, with
 * what came to it, at first often and then ever more seldom.
 */
const KEPT_MAX = 7;

export function keepCode(parts: readonly Part[], chance: () => number = Math.random): void {
  for (const { script, cache, hash, text, kept } of parts) {
    if (kept >= KEPT_MAX || chance() >= 1 / 2 ** kept) continue;
    // Of a bundle that is not the one that was built nothing is kept under the built one's name.
    if (sha256Hex(text()) === hash) writeCache(cache, script.createCachedData(), kept + 1);
  }
}

/** A cache that cannot be written costs the next start some milliseconds and nothing else. */
function writeCache(file: string, data: Buffer, kept: number): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Flushed: what a power cut leaves of it would be compiled again.
    writeFileSync(temporary, summed(data, kept), { mode: 0o600, flush: true });
    renameSync(temporary, file);
    removeOld(dirname(file));
  } catch (error) {
    // Half a file on a full disk is worse than none.
    discard(temporary);
    void error;
  }
}

/** Node's own CRC-32: a third of a millisecond. `node:zlib` around it would cost ten times that. A Node without it keeps nothing. */
function summed(data: Buffer, kept: number): Buffer {
  const { binding } = process as unknown as { binding(name: "zlib"): ZlibBinding };
  const counted = Buffer.concat([data, Buffer.of(kept)]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(binding("zlib").crc32(counted, 0));
  return Buffer.concat([counted, sum]);
}

/** What Node has behind `node:zlib`. */
export interface ZlibBinding {
  crc32(data: Uint8Array, from: number): number;
}

/** Of programs that were replaced. One still in use is compiled again, once. */
const AGE_MS_MAX = 30 * 24 * 3600 * 1000;

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = `${directory}/${name}`;
    if (Date.now() - statSync(path).mtimeMs > AGE_MS_MAX) discard(path);
  }
}
