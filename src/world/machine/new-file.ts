/** Makes a file at once: a reader sees the whole of it or nothing, and a file that is there is left as it is. */
import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Throws with the code EEXIST if something is there. */
export function writeAnew(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(aside, text, { flag: "wx" });
    linkSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}
