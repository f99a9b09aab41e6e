/** Runs a bundle with V8's code cache: a quarter of a cold start is compiling what was compiled before. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
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
 * does not fit. The hash is the build's: to compute one at every start would cost more than the cache saves.
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
  const fd = openSync(path, "r");
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

function cacheIn(file: string, scratch: Buffer): Buffer | undefined {
  try {
    return contentOf(file, scratch);
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs the next start some milliseconds and nothing else. */
function writeCache(file: string, data: Buffer): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Flushed: half a cache that a power cut leaves would end every event, since V8 trusts what it reads.
    writeFileSync(temporary, data, { mode: 0o600, flush: true });
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
