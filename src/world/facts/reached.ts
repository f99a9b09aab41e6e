/** Resolves where the paths lead that a command would change. */

import { realpathSync } from "node:fs";
import type { Facts } from "../../kernel/facts.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { lookupKey, lookupOf } from "../../reading/operation/reached.ts";
import { trueName } from "../machine/places.ts";

/** More paths than one command line removes by name; further ones are judged by their spelling. */
const LOOKUPS_MAX = 64;

/** Limit of missing path components before the spelling is used. */
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

/** Resolves like the kernel, component by component: `..` after a link leaves the link's target. */
function physical(path: string, depth = 0): string {
  if (depth > MISSING_MAX || !(path.includes("/../") || path.endsWith("/.."))) return trueName(path);
  try {
    return realpathSync.native(path);
  } catch {
    // Does not exist yet, but its parent may.
    const slash = path.lastIndexOf("/");
    const above = physical(path.slice(0, slash) || "/", depth + 1);
    return trueName(`${above}/${path.slice(slash + 1)}`);
  }
}
