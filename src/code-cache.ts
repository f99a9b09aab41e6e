/** Runs a bundle with V8's code cache: a quarter of a cold start is compiling what was compiled before. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { discard } from "./store/discard.ts";

export interface CachedBundle {
  /** The bundle's exports. */
  readonly exports: unknown;
  /** Keeps the code compiled so far for the next start, if there is anything new to keep. */
  save(): void;
}

/**
 * The cache holds a copy of the source it was made from, and both must be equal: V8 itself compares only the length.
 * What runs is always the bundle, never the copy. The cache's name carries the version of Node and the processor; V8
 * checks its own flags and refuses what does not fit.
 */
export function loadBundle(bundle: string, cacheDirectory: string, require: NodeJS.Require): CachedBundle {
  const file = join(cacheDirectory, `${basename(bundle)}-${process.version}-${process.arch}.bin`);
  const source = readFileSync(bundle);
  const cache = readCache(file);
  const cachedData = cache?.source.equals(source) ? cache.data : undefined;
  // The build writes the function around the bundle and only ASCII into it: the text needs no decoding and no copy.
  const script = new Script(source.toString("latin1"), { filename: bundle, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const load = script.runInThisContext() as (...args: unknown[]) => void;
  load.call(module.exports, module.exports, require, module, bundle, dirname(bundle));
  const isGood = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports,
    save: () => (isGood ? undefined : writeCache(file, [source, script.createCachedData()])),
  };
}

interface Cache {
  readonly source: Buffer;
  readonly data: Buffer;
}

/** Two parts, each with its length before it. */
function readCache(file: string): Cache | undefined {
  try {
    const content = readFileSync(file);
    const sourceEnd = 4 + content.readUInt32LE(0);
    const dataEnd = sourceEnd + 4 + content.readUInt32LE(sourceEnd);
    if (dataEnd !== content.length) return undefined;
    return { source: content.subarray(4, sourceEnd), data: content.subarray(sourceEnd + 4) };
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
