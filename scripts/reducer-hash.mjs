/**
 * Names the reducers by their code. A snapshot is a cache of what they computed, so other reducers must not reuse it.
 * The hash is taken of the minified bundle: comments, names and moved files do not change it.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export function reducerHash(entry = "src/store/journal/ledger.ts") {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return createHash("sha256").update(outputFiles[0].contents).digest("hex").slice(0, 12);
}

/** One hash per part, so that a change of one part doesn't invalidate the snapshots of the others. */
export function partHashes() {
  const names = readdirSync(join(root, "src", "state"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, "src", "state", entry.name, "part.ts")))
    .map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, reducerHash(`src/state/${name}/part.ts`)]));
}

/** The constants that the store's sources expect from the build. */
export function reducerDefines() {
  return { __REDUCER_HASH__: JSON.stringify(reducerHash()), __PART_HASHES__: JSON.stringify(partHashes()) };
}
