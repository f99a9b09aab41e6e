/** Which project a session belongs to, decided once: neither `cd` nor a `.git` that the agent rewrites moves it. */
import { constants, linkSync, mkdirSync, readdirSync, readSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { discard } from "./discard.ts";
import { withFile } from "./file.ts";

const AGE_MS_MAX = 30 * 86_400_000;

/** The project's root as it was when the session was first seen. */
export function readPin(directory: string, session: string): string | undefined {
  try {
    const root = withFile(join(directory, session), constants.O_RDONLY, (fd) => {
      const bytes = Buffer.allocUnsafe(4096);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, null));
    });
    return root.startsWith("/") ? root : undefined;
  } catch (error) {
    // Without a pin the project is found anew, as for a session that was never seen.
    void error;
    return undefined;
  }
}

/** The first wins. A pin that cannot be written is tried again at the next event. */
export function writePin(directory: string, session: string, root: string, now: number): void {
  const temporary = join(directory, `.${session}.${process.pid}.tmp`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, root, { flag: "wx", mode: 0o600 });
    // A link is made whole or not at all, and not over one that is there.
    linkSync(temporary, join(directory, session));
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > AGE_MS_MAX) unlinkSync(path);
    }
  } catch (error) {
    void error;
  } finally {
    discard(temporary);
  }
}
