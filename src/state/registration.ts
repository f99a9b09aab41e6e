/** State of the host's settings files that is remembered between sessions. */
import { own } from "../lib/keyed.ts";
import type { Registration } from "./session/session.ts";

/** Work trees have their own settings files. */
const PATHS_MAX = 20;

/** A file that lost hooks is remembered as it was before, so that the loss is still noticed. */
export function learn(known: Registration, seen: Registration): Registration {
  // The first session sets the baseline, including its flaws.
  if (Object.keys(known).length === 0) return seen;
  const next = { ...known };
  for (const [path, marks] of Object.entries(seen)) if (isWhole(own(known, path) ?? [], marks)) next[path] = marks;
  return Object.fromEntries(Object.entries(next).slice(-PATHS_MAX));
}

/** All earlier hooks are still there and no new flaw was added. Flaws start with `!`. */
function isWhole(before: readonly string[], now: readonly string[]): boolean {
  const hooks = before.filter((mark) => !/^[!?]/.test(mark));
  const flaws = now.filter((mark) => mark.startsWith("!"));
  return hooks.every((mark) => now.includes(mark)) && flaws.every((mark) => before.includes(mark));
}
