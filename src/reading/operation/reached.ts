/** Resolves links in a path that a command would change: the path to look up on disk, and the key of the answer. */

import type { Effect } from "./effects.ts";

export interface Lookup {
  /** The path as the operating system would get it: `..` after a link is not the directory that contains the link. */
  readonly path: string;
  /** The unresolved last name: deleting or moving a link affects the link and not its target. */
  readonly last: string;
}

/** Undefined if the path cannot be looked up: it is on another machine, or its directory is unknown. */
export function lookupOf(effect: Effect): Lookup | undefined {
  const { elsewhere, literal, kind } = effect;
  if (elsewhere || !literal || kind === "read") return undefined;
  const raw = rawPath(effect);
  // File descriptors here are those of this process and not of the command, so resolving them says nothing.
  if (raw === undefined || DESCRIPTORS.some((place) => raw.startsWith(place))) return undefined;
  const segments = raw.split("/");
  const pattern = effect.glob ? segments.findIndex((segment) => /[*?[{(]/.test(segment)) : -1;
  const last = segments.at(-1) ?? "";
  const follows = kind !== "delete" || last === "" || last === "." || last === "..";
  const at = pattern >= 0 ? pattern : follows ? segments.length : segments.length - 1;
  return { path: segments.slice(0, at).join("/") || "/", last: segments.slice(at).join("/") };
}

const DESCRIPTORS = ["/dev/fd", "/dev/std", "/proc/"];

/** A file tool resolves `..` in the words of the path, as `effect.path` has it; the shell leaves that to the system. */
function rawPath({ invocation, spelled, path }: Effect): string | undefined {
  if (!invocation) return path.startsWith("/") ? path : undefined;
  if (spelled.startsWith("/")) return spelled;
  return invocation.cwd === undefined ? undefined : `${invocation.cwd}/${spelled}`;
}

/** The key of a lookup in the answers. */
export function lookupKey({ path, last }: Lookup): string {
  return `${path}\u0000${last}`;
}

/** The real path of an effect, if it was looked up and differs from the lexical path. */
export function reachedBy(effect: Effect, reached: Readonly<Record<string, string>>): string | undefined {
  const lookup = lookupOf(effect);
  const key = lookup && lookupKey(lookup);
  const real = key !== undefined && Object.hasOwn(reached, key) ? reached[key] : undefined;
  return real === effect.path ? undefined : real;
}
