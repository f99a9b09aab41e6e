/**
 * The program `gatehouse.cjs`: `serve` holds the port; started as a worker it answers events. The code stands in the
 * volumes that the hook loads too. A worker loads all of them at once, because an upgrade may replace the files.
 */
import type * as Hook from "../plain/plain-lane.ts";
import { work } from "./worker.ts";

export { serve } from "./index.ts";

declare const __VERSION__: string;
declare const __BUILD__: string;
declare const require: (name: "./hook.cjs") => typeof Hook & { readonly loadAll: () => void };

if (process.argv[2] === "worker") {
  require("./hook.cjs").loadAll();
  work({ version: __VERSION__, build: __BUILD__ });
}
