/** The files at the root of a project, read on demand and only up to a size limit. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";

export interface Tree {
  /** Undefined when there is no such file or it is too large. */
  readonly text: (file: string) => string | undefined;
  readonly has: (...files: readonly string[]) => boolean;
}

const BYTES_MAX = 256 * 1024;

export function treeAt(root: string): Tree {
  const texts = new Map<string, string | undefined>();
  return {
    has: (...files) => files.some((file) => existsSync(join(root, file))),
    text: (file) => {
      if (!texts.has(file)) texts.set(file, plainText(join(root, file), BYTES_MAX));
      return texts.get(file);
    },
  };
}
