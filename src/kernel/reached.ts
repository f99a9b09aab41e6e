/** Where a path that a command would change really leads: what to look up on the disk, and under which name it is told. */

import type { Effect } from "./operation-effects.ts";

export interface Lookup {
  /** The path as the kernel would be given it: `..` behind a link is not the directory the link stands in. */
  readonly path: string;
  /** The last name stays as it is: whoever deletes or moves a link takes the link and not what it leads to. */
  readonly last: string;
}

/** Undefined where nothing can be looked up: another machine, or a directory that is not known. */
export function lookupOf(effect: Effect): Lookup | undefined {
  const { invocation, spelled, elsewhere, literal, kind } = effect;
  if (elsewhere || !literal || kind === "read") return undefined;
  const raw = spelled.startsWith("/")
    ? spelled
    : invocation?.cwd === undefined
      ? undefined
      : `${invocation.cwd}/${spelled}`;
  // Descriptors are ours here and the command's there: where they lead now says nothing.
  if (raw === undefined || /^\/(?:dev\/(?:fd|std)|proc\/)/.test(raw)) return undefined;
  const segments = raw.split("/");
  const pattern = effect.glob ? segments.findIndex((segment) => /[*?[{(]/.test(segment)) : -1;
  const last = segments.at(-1) ?? "";
  const follows = kind !== "delete" || last === "" || last === "." || last === "..";
  const at = pattern >= 0 ? pattern : follows ? segments.length : segments.length - 1;
  return { path: segments.slice(0, at).join("/") || "/", last: segments.slice(at).join("/") };
}

/** How an effect finds its own answer again. */
export function lookupKey({ path, last }: Lookup): string {
  return `${path}\u0000${last}`;
}

/** The true path of an effect, where it was looked up and is another than its letters say. */
export function reachedBy(effect: Effect, reached: Readonly<Record<string, string>>): string | undefined {
  const lookup = lookupOf(effect);
  const key = lookup && lookupKey(lookup);
  const real = key !== undefined && Object.hasOwn(reached, key) ? reached[key] : undefined;
  return real === effect.path ? undefined : real;
}
