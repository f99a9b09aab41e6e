/** The current text of the files that an operation would change or copy; each is read on first access. */

import { lstatSync } from "node:fs";
import { plainFile } from "../../disk/plain-file.ts";
import type { Facts, StandingText } from "../../kernel/facts.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { standingPaths } from "../../reading/operation/standing-paths.ts";

/** Larger than any hand-written test. */
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

function textAt(path: string): StandingText | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const file = plainFile(path, BYTES_MAX);
  return file && !file.cut ? { text: file.bytes.toString("utf8") } : {};
}
