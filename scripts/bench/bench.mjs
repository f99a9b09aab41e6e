/** What the benchmarks share: the sources they look into, and how a figure is held against its limit. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { reducerHash } from "../reducer-hash.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The store and the registration, from the sources: to fill a journal quickly and to start hooks as the client does. */
export function sources(directory) {
  return bundled(directory, "sources", [
    'export { openJournal } from "./src/store/archive.ts";',
    'export { placesOf } from "./src/world/places.ts";',
    'export { slots } from "./src/hosts/claude-code/hooks.ts";',
    'export { registeredEvents } from "./src/policies/index.ts";',
  ]);
}

/** What these lines export, as they are in the checkout. */
export async function bundled(directory, name, lines) {
  const outfile = join(directory, `${name}.cjs`);
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
    define: { __REDUCER_HASH__: JSON.stringify(reducerHash()) },
  });
  return createRequire(import.meta.url)(outfile);
}

export function quantile(values, q) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * q)];
}

/** Rows of [what, figure, limit, unit]. One that misses makes the whole run fail. */
export function judge(checks) {
  for (const [what, figure, limit, unit = ""] of checks) {
    console.log(`${figure <= limit ? "ok  " : "MISS"} ${what}: ${figure.toFixed(3)}${unit}`);
    if (figure > limit) process.exitCode = 1;
  }
}
