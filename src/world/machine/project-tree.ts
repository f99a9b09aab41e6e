/** The files at the root of a project, read on demand and only up to a size limit. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";

export interface Tree {
  /** Undefined when there is no such file or it is too large. */
  readonly text: (file: string) => string | undefined;
  readonly has: (...files: readonly string[]) => boolean;
  /** The file of this name; for `*.end`, the files at the root that end so. */
  readonly named: (file: string) => readonly string[];
}

const BYTES_MAX = 256 * 1024;

export function treeAt(root: string): Tree {
  const texts = new Map<string, string | undefined>();
  const has = (...files: readonly string[]): boolean => files.some((file) => existsSync(join(root, file)));
  let all: readonly string[] | undefined;
  const entries = (): readonly string[] => {
    all ??= entriesIn(root);
    return all;
  };
  return {
    has,
    named: (file) => {
      if (!file.startsWith("*")) return has(file) ? [file] : [];
      return entries().filter((name) => name.endsWith(file.slice(1)));
    },
    text: (file) => {
      if (!texts.has(file)) texts.set(file, plainText(join(root, file), BYTES_MAX));
      return texts.get(file);
    },
  };
}

function entriesIn(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    // There is no such directory, or it may not be read.
    return [];
  }
}
