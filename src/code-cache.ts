/** Runs a bundle with V8's code cache: a quarter of a cold start is compiling what was compiled before. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

export interface CachedBundle {
  /** The bundle's exports. */
  readonly exports: unknown;
  /** Keeps the code compiled so far for the next start, if there is anything new to keep. */
  save(): void;
}

/**
 * The cache holds a copy of the source it was made from, and both must be equal: V8 itself compares only the length.
 * Its name carries the version of Node and the processor; V8 checks its own flags and refuses what does not fit.
 */
export function loadBundle(bundle: string, cacheDirectory: string, require: NodeJS.Require): CachedBundle {
  const source = readFileSync(bundle);
  const file = join(cacheDirectory, `${process.version}-${process.arch}.bin`);
  const cachedData = readCache(file, source);
  // The build writes the function around the bundle and only ASCII into it: the text needs no decoding and no copy.
  const script = new Script(source.toString("latin1"), { filename: bundle, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const load = script.runInThisContext() as (...args: unknown[]) => void;
  load.call(module.exports, module.exports, require, module, bundle, dirname(bundle));
  const useful = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports,
    save: () => (useful ? undefined : writeCache(file, source, script.createCachedData())),
  };
}

function readCache(file: string, source: Buffer): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const size = content.readUInt32LE(0);
    const same = size === source.length && content.subarray(4, 4 + size).equals(source);
    return same ? content.subarray(4 + size) : undefined;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs the next start some milliseconds and nothing else. */
function writeCache(file: string, source: Buffer, data: Buffer): void {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(source.length);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([size, source, data]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    void error;
  }
}
