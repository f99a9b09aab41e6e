/** The present text of the files that an operation would change or copy; each is read when somebody asks for it. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import type { Facts, StandingText } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { standingPaths } from "../kernel/standing-paths.ts";

/** More than anybody writes as a test by hand. */
const BYTES_MAX = 512 * 1024;

export function standingText(operation: Operation | undefined, cwd: string): Facts["standingText"] {
  const found: Record<string, StandingText> = {};
  for (const path of operation ? standingPaths(operation, cwd) : []) {
    const look = once(() => textAt(path));
    Object.defineProperty(found, path, { enumerable: true, get: look });
  }
  return found;
}

function once<T>(look: () => T): () => T {
  let known: { readonly is: T } | undefined;
  return () => {
    known ??= { is: look() };
    return known.is;
  };
}

/** Undefined where nothing is there. */
function textAt(path: string): StandingText | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  let file: number;
  try {
    // A pipe must not keep us waiting.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // There, and not ours to read: whoever asks is told just that.
    return {};
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > BYTES_MAX) return {};
    const bytes = Buffer.alloc(stat.size);
    return { text: bytes.toString("utf8", 0, readSync(file, bytes, 0, stat.size, 0)) };
  } finally {
    closeSync(file);
  }
}
