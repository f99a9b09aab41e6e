/** What is remembered of the host's settings files from one session to the next. */
import { own } from "./keyed.ts";
import type { Registration } from "./session.ts";

/** Work trees have files of their own. */
const PATHS_MAX = 20;

/** A file that has lost something is remembered as it was: what went missing stays missed. */
export function learn(known: Registration, seen: Registration): Registration {
  // The first session is what there is to begin with, flaws and all.
  if (Object.keys(known).length === 0) return seen;
  const next = { ...known };
  for (const [path, marks] of Object.entries(seen)) if (isWhole(own(known, path) ?? [], marks)) next[path] = marks;
  return Object.fromEntries(Object.entries(next).slice(-PATHS_MAX));
}

/** Every hook that was there still is, and nothing disarms that did not before. Flaws begin with `!`. */
function isWhole(before: readonly string[], now: readonly string[]): boolean {
  const hooks = before.filter((mark) => !/^[!?]/.test(mark));
  const flaws = now.filter((mark) => mark.startsWith("!"));
  return hooks.every((mark) => now.includes(mark)) && flaws.every((mark) => before.includes(mark));
}
