/** Runs a bundle with V8's code cache: a quarter of a cold start is compiling what was compiled before. */
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { Script } from "node:vm";
import { sha256Hex } from "./store/digest.ts";
import { discard } from "./store/discard.ts";

export interface Bundle {
  readonly path: string;
  /** SHA-256 of its content, as it was built. */
  readonly hash: string;
}

export interface CachedBundle {
  /** The bundle's exports. */
  readonly exports: unknown;
  /** False when the code was compiled anew, and is worth keeping. */
  readonly isCached: boolean;
  /** Keeps the code compiled so far for the next start. */
  save(): void;
}

/**
 * What runs is always the bundle as it is on the disk. V8 itself compares only its length with the cache, so the cache
 * is named by the content it was made from, the version of Node and the processor; V8 checks its flags and refuses what
 * does not fit. A damaged byte it would believe, and break over: so a sum of ours stands behind the code. The hash is
 * the build's: to compute one at every start would cost more than the cache saves.
 * `scratch` is memory that everything is read into, in turn: fresh pages are the dearest part of reading.
 */
export function loadBundle(
  { path, hash }: Bundle,
  cacheDirectory: string,
  require: (name: string) => unknown,
  scratch: Buffer,
): CachedBundle {
  const file = `${cacheDirectory}/${hash.slice(0, 16)}-${process.version}-${process.arch}.bin`;
  const source = moduleIn(path, scratch);
  const cachedData = cacheIn(file, scratch);
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const load = script.runInThisContext() as (...args: unknown[]) => void;
  load.call(module.exports, module.exports, require, module, path, dirname(path));
  return {
    exports: module.exports,
    isCached: cachedData !== undefined && script.cachedDataRejected !== true,
    save: () => {
      // Of a bundle that is not the one that was built nothing is kept under the built one's name.
      if (sha256Hex(source.slice(HEAD.length, -TAIL.length)) === hash) writeCache(file, script.createCachedData());
    },
  };
}

/** What Node itself puts around a module. */
const HEAD = "(function (exports, require, module, __filename, __dirname) {";
const TAIL = "\n})";

/** The build writes only ASCII into a bundle: the text needs no decoding, and putting texts together would copy it. */
function moduleIn(path: string, scratch: Buffer): string {
  scratch.write(HEAD, "latin1");
  const read = contentOf(path, scratch, HEAD.length);
  const whole = read.length + TAIL.length > scratch.length ? Buffer.concat([read, Buffer.from(TAIL)]) : scratch;
  const end = read.length + whole.write(TAIL, read.length, "latin1");
  return whole.toString("latin1", 0, end);
}

/** A view of `scratch` as long as the file fits into it; what stands before `from` stays. */
function contentOf(path: string, scratch: Buffer, from = 0): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    let into = scratch;
    let length = from;
    for (;;) {
      const count = readSync(fd, into, length, into.length - length, null);
      length += count;
      if (count === 0 || length < into.length) return into.subarray(0, length);
      into = Buffer.concat([into, Buffer.allocUnsafe(into.length)]);
    }
  } finally {
    closeSync(fd);
  }
}

/** Undefined when there is none, or not the whole of what was written: then it is compiled and written anew. */
function cacheIn(file: string, scratch: Buffer): Buffer | undefined {
  try {
    const bytes = contentOf(file, scratch);
    const data = bytes.subarray(0, -SUM_BYTES);
    return bytes.readUInt32LE(data.length) === sumOf(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

const SUM_BYTES = 4;

/** Node's own CRC-32: a third of a millisecond. `node:zlib` around it would cost ten times that. */
function sumOf(data: Uint8Array): number {
  try {
    const { binding } = process as unknown as { binding(name: "zlib"): ZlibBinding };
    return binding("zlib").crc32(data, 0);
  } catch {
    // A Node that has none believes the cache, as V8 does.
    return 0;
  }
}

interface ZlibBinding {
  crc32(data: Uint8Array, from: number): number;
}

function summed(data: Buffer): Buffer {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(sumOf(data));
  return Buffer.concat([data, sum]);
}

/** A cache that cannot be written costs the next start some milliseconds and nothing else. */
function writeCache(file: string, data: Buffer): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Flushed: what a power cut leaves of it would be compiled again.
    writeFileSync(temporary, summed(data), { mode: 0o600, flush: true });
    renameSync(temporary, file);
    removeOld(dirname(file));
  } catch (error) {
    // Half a file on a full disk is worse than none.
    discard(temporary);
    void error;
  }
}

/** Of programs that were replaced. One still in use is compiled again, once. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = `${directory}/${name}`;
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) discard(path);
  }
}
