/** A temporary directory that is removed when the script exits. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function scratchDirectory(name) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `sekisho-${name}-`)));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}
