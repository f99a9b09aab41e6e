/** Runs a bundle with V8's code cache: a quarter of a cold start is compiling what was compiled before. */
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { discard } from "./store/discard.ts";

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
 * also names the very content it was made from: the file's node, its size and its times, down to the time of its last
 * change, which nobody can set. (A hash would cost more than the cache saves.) The cache's own name carries the version
 * of Node and the processor; V8 checks its flags and refuses what does not fit.
 */
export function loadBundle(bundle: string, cacheDirectory: string, require: NodeJS.Require): CachedBundle {
  const file = join(cacheDirectory, `${basename(bundle)}-${process.version}-${process.arch}.bin`);
  const { source, content } = readBundle(bundle);
  const cache = readCache(file);
  const cachedData = cache?.content === content ? cache.data : undefined;
  // The build writes the function around the bundle and only ASCII into it: the text needs no decoding and no copy.
  const script = new Script(source.toString("latin1"), { filename: bundle, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const load = script.runInThisContext() as (...args: unknown[]) => void;
  load.call(module.exports, module.exports, require, module, bundle, dirname(bundle));
  return {
    exports: module.exports,
    isCached: cachedData !== undefined && script.cachedDataRejected !== true,
    save: () => writeCache(file, [Buffer.from(content), script.createCachedData()]),
  };
}

/** The content and its name, from one open file: nobody can exchange it in between. */
function readBundle(path: string): { readonly source: Buffer; readonly content: string } {
  const fd = openSync(path, "r");
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = fstatSync(fd);
    const source = Buffer.allocUnsafeSlow(size);
    if (readSync(fd, source, 0, size, 0) !== size) throw new Error(`${path} could not be read whole`);
    return { source, content: [dev, ino, size, mtimeMs, ctimeMs].join(" ") };
  } finally {
    closeSync(fd);
  }
}

interface Cache {
  readonly content: string;
  readonly data: Buffer;
}

/** Two parts, each with its length before it. */
function readCache(file: string): Cache | undefined {
  try {
    const bytes = readFileSync(file);
    const contentEnd = 4 + bytes.readUInt32LE(0);
    const dataEnd = contentEnd + 4 + bytes.readUInt32LE(contentEnd);
    if (dataEnd !== bytes.length) return undefined;
    return { content: bytes.toString("latin1", 4, contentEnd), data: bytes.subarray(contentEnd + 4) };
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs the next start some milliseconds and nothing else. */
function writeCache(file: string, parts: readonly Buffer[]): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat(parts.flatMap(withLength)), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    // Half a file on a full disk is worse than none.
    discard(temporary);
    void error;
  }
}

function withLength(bytes: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}
