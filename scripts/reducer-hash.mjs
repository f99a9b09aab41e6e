/** Names the reducers by their sources: a snapshot is a cache of their work, and other reducers make other snapshots. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const state = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "state");

export function reducerHash() {
  const hash = createHash("sha256");
  const files = readdirSync(state).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  for (const file of files.sort()) hash.update(readFileSync(join(state, file)));
  return hash.digest("hex").slice(0, 12);
}
