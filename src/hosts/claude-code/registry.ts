/** The host's registry of its running sessions: a file for each process. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { LookingHost, Peer } from "../../world/host.ts";
import { isAlive, lookUp } from "../../world/machine/caller.ts";
import { CONFIG, DIRECTORY } from "./layout.ts";

const FILES_MAX = 200;
const BYTES_MAX = 64 * 1024;

export const peersOf: NonNullable<LookingHost["peersOf"]> = ({ env, places }) => {
  const given = env[CONFIG];
  const directory = join(given?.startsWith("/") ? given : join(places.home, DIRECTORY), "sessions");
  return filesIn(directory).flatMap((name) => peerIn(plainText(join(directory, name), BYTES_MAX) ?? ""));
};

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /^\d{1,10}\.json$/.test(name))
      .slice(0, FILES_MAX);
  } catch (error) {
    // A host that has never run has none.
    void error;
    return [];
  }
}

function peerIn(text: string): readonly Peer[] {
  try {
    const { pid, procStart: started, ...fields } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { sessionId: session, name, cwd, status } = fields;
    if (typeof pid !== "number" || typeof session !== "string" || typeof name !== "string") return [];
    // The file of a killed process stays.
    const isThere = typeof started === "string" ? isAlive({ pid, started }) : lookUp(pid) !== undefined;
    const isIdle = typeof status === "string" ? { isIdle: status === "idle" } : {};
    return isThere ? [{ session, name, cwd: typeof cwd === "string" ? cwd : "", ...isIdle }] : [];
  } catch (error) {
    // The host is writing it, or another version does.
    void error;
    return [];
  }
}
