/** The files at the root of a project, read when they are asked for, and none that is too large to be written by hand. */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

export interface Tree {
  /** Undefined when there is no such file, or none that anybody wrote by hand. */
  readonly text: (file: string) => string | undefined;
  readonly has: (...files: readonly string[]) => boolean;
}

const BYTES_MAX = 256 * 1024;

export function treeAt(root: string): Tree {
  const texts = new Map<string, string | undefined>();
  return {
    has: (...files) => files.some((file) => existsSync(join(root, file))),
    text: (file) => {
      if (!texts.has(file)) texts.set(file, textAt(join(root, file)));
      return texts.get(file);
    },
  };
}

/** A pipe must not hold us, and nobody writes so large a file by hand. */
function textAt(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Missing, or not ours to read: then it is not how the project is checked.
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > BYTES_MAX) return undefined;
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, stat.size, 0)).replace(/^\uFEFF/, "");
  } finally {
    closeSync(fd);
  }
}
