/** Helpers shared by the benchmarks: load sources from the checkout and compare a figure with its limit. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { reducerDefines } from "../reducer-hash.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Bundles the store (to fill a journal quickly) and the registration code (to start hooks the way the host does). */
export function sources(directory) {
  return bundled(directory, "sources", [
    'export { openJournal } from "./src/store/journal/archive.ts";',
    'export { placesOf } from "./src/world/machine/places.ts";',
    'export { layout } from "./src/hosts/claude-code/layout.ts";',
    'export { slots } from "./src/hosts/claude-code/hooks.ts";',
    'export { registeredEvents } from "./src/policies/index.ts";',
  ]);
}

/** Bundles the given export lines from the checkout and loads the result. */
export async function bundled(directory, name, lines) {
  const outfile = join(directory, `${name}.cjs`);
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
    define: reducerDefines(),
  });
  return createRequire(import.meta.url)(outfile);
}

export function quantile(values, q) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * q)];
}

/** Takes rows of [what, figure, limit, unit]. A single figure over its limit makes the whole run fail. */
export function judge(checks) {
  for (const [what, figure, limit, unit = ""] of checks) {
    console.log(`${figure <= limit ? "ok  " : "MISS"} ${what}: ${figure.toFixed(3)}${unit}`);
    if (figure > limit) process.exitCode = 1;
  }
}
