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
  let all: readonly string[] | undefined;
  let folded: ReadonlySet<string> | undefined;
  const entries = (): readonly string[] => {
    all ??= entriesIn(root);
    return all;
  };
  // Dozens of names are asked for and few are there, so the directory is listed once. Some file systems ignore case.
  const mayHave = (file: string): boolean => {
    folded ??= new Set(entries().map((name) => name.toLowerCase()));
    const [first = ""] = file.toLowerCase().split("/", 1);
    return folded.has(first) || UNLISTED.includes(first) || folded.size === 0;
  };
  const has = (...files: readonly string[]): boolean =>
    files.some((file) => mayHave(file) && existsSync(join(root, file)));
  return {
    has,
    named: (file) => {
      if (!file.startsWith("*")) return has(file) ? [file] : [];
      return entries().filter((name) => name.endsWith(file.slice(1)));
    },
    text: (file) => {
      if (!texts.has(file)) texts.set(file, mayHave(file) ? plainText(join(root, file), BYTES_MAX) : undefined);
      return texts.get(file);
    },
  };
}

/** The beginnings of paths that lead elsewhere first. */
const UNLISTED = ["", ".", ".."];

/** Nothing if there is no such directory; it may also be one that can be searched but not listed. */
function entriesIn(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
