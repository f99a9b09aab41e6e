/** Reads and writes the files of a stage. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface Files {
  write(path: string, content: string): void;
  /** Undefined when there is no such file. */
  read(path: string): string | undefined;
}

/** Paths are relative to the directory. */
export function filesIn(directory: string): Files {
  return {
    write: (path, content) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    },
    read: (path) => (existsSync(join(directory, path)) ? readFileSync(join(directory, path), "utf8") : undefined),
  };
}

/** Every file below a directory, by relative path; `.git` is left out. */
export function filesBelow(directory: string, { directories = false } = {}): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => directories || !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => path.split("/")[0] !== ".git")
    .sort();
}
