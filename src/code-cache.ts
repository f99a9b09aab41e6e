/** Runs a bundle with V8's code cache: a quarter of a cold start is compiling what was compiled before. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

export interface CachedBundle {
  /** The bundle's exports. */
  readonly exports: unknown;
  /** Keeps the code compiled so far for the next start, if there is anything new to keep. */
  save(): void;
}

/**
 * The cache holds a copy of the source it was made from, and both must be equal: V8 itself compares only the length.
 * While the bundle is the very file the cache was made from (same node, size and times, down to the time of its last
 * change, which nobody can set), the copy stands for it and one read is saved. The cache's name carries the version of
 * Node and the processor; V8 checks its own flags and refuses what does not fit.
 */
export function loadBundle(bundle: string, cacheDirectory: string, require: NodeJS.Require): CachedBundle {
  const file = join(cacheDirectory, `${basename(bundle)}-${process.version}-${process.arch}.bin`);
  const identity = identityOf(bundle);
  const cache = readCache(file);
  const source = cache && cache.identity === identity ? cache.source : readFileSync(bundle);
  const cachedData = cache?.source.equals(source) ? cache.data : undefined;
  // The build writes the function around the bundle and only ASCII into it: the text needs no decoding and no copy.
  const script = new Script(source.toString("latin1"), { filename: bundle, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const load = script.runInThisContext() as (...args: unknown[]) => void;
  load.call(module.exports, module.exports, require, module, bundle, dirname(bundle));
  const isGood = cachedData !== undefined && script.cachedDataRejected !== true && cache?.identity === identity;
  return {
    exports: module.exports,
    save: () => (isGood ? undefined : writeCache(file, [identity, source, script.createCachedData()])),
  };
}

interface Cache {
  readonly identity: string;
  readonly source: Buffer;
  readonly data: Buffer;
}

function identityOf(path: string): string {
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
  return [dev, ino, size, mtimeMs, ctimeMs].join(" ");
}

/** Three parts, each with its length before it. */
function readCache(file: string): Cache | undefined {
  try {
    const content = readFileSync(file);
    const identityEnd = 4 + content.readUInt32LE(0);
    const sourceEnd = identityEnd + 4 + content.readUInt32LE(identityEnd);
    const dataEnd = sourceEnd + 4 + content.readUInt32LE(sourceEnd);
    if (dataEnd !== content.length) return undefined;
    return {
      identity: content.toString("latin1", 4, identityEnd),
      source: content.subarray(identityEnd + 4, sourceEnd),
      data: content.subarray(sourceEnd + 4),
    };
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs the next start some milliseconds and nothing else. */
function writeCache(file: string, parts: readonly (string | Buffer)[]): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat(parts.flatMap(withLength)), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    void error;
  }
}

function withLength(part: string | Buffer): readonly Buffer[] {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}
