/** Our command on the PATH, as an installed package puts it there. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Stage } from "./stage.ts";

/** Returns the PATH. */
export function withOurCommand({ home, program }: Stage): string {
  const bin = join(dirname(home), "bin");
  mkdirSync(bin);
  const command = join(bin, "sekisho");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(command, 0o755);
  return [bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
}
