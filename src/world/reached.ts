/** Looks up where the paths lead that a command would change. */

import { realpathSync } from "node:fs";
import type { Facts } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { lookupKey, lookupOf } from "../kernel/reached.ts";
import { trueName } from "./places.ts";

/** More than anybody removes by name in one line; what is beyond it is judged by its letters. */
const LOOKUPS_MAX = 64;

/** Names that may be missing at the end of a path before its letters have to do. */
const MISSING_MAX = 20;

export function reachedPaths(operation: Operation | undefined, stands: readonly string[]): Facts["reached"] {
  const reached: Record<string, string> = {};
  for (const effect of operation?.effects ?? []) {
    const lookup = lookupOf(effect);
    if (!lookup || Object.keys(reached).length >= LOOKUPS_MAX) continue;
    const directory = physical(lookup.path);
    reached[lookupKey(lookup)] =
      lookup.last === "" ? directory : `${directory === "/" ? "" : directory}/${lookup.last}`;
  }
  if (Object.keys(reached).length === 0) return reached;
  for (const place of stands) if (place.startsWith("/")) reached[place] = trueName(place);
  return reached;
}

/** As the kernel goes: name by name, so that `..` behind a link leaves the place the link leads to. */
function physical(path: string, depth = 0): string {
  if (depth > MISSING_MAX || !/\/\.\.(?:\/|$)/.test(path)) return trueName(path);
  try {
    return realpathSync.native(path);
  } catch {
    // Missing yet: what is above it may be there.
    const slash = path.lastIndexOf("/");
    const above = physical(path.slice(0, slash) || "/", depth + 1);
    return trueName(`${above}/${path.slice(slash + 1)}`);
  }
}
