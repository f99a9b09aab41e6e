/** The secrets that a command would show to the model or copy to an unprotected path. */

import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import type { Flow } from "./flow.ts";
import type { Secret } from "./kinds.ts";
import type { Leak } from "./leak.ts";
import { secretAt } from "./places.ts";
import { secretFrom } from "./sources.ts";
import { copies, locks, shows, usesKeys } from "./use.ts";

/** `read` comes from disk directly; `held` is the strictest of all secrets the command has. */
export function shownBy(
  by: Invocation,
  read: Secret | undefined,
  held: Secret | undefined,
  flow: Flow,
): readonly Leak[] {
  const copying = copies(by);
  const way = copying ? "copied" : "shown";
  // A key must not be read at all, except by programs that use it without showing it.
  if (read?.shown === "deny") {
    return usesKeys(by) && !copying && !shows(by) ? [] : [{ way, decision: "deny", secret: read, by }];
  }
  if (!held || held.shown === "pass" || !getsOut(by, held, copying, flow)) return [];
  return [{ way, decision: held.shown, secret: held, by }];
}

function getsOut(by: Invocation, { token, sent }: Secret, copying: boolean, flow: Flow): boolean {
  if (locksAway(by, flow)) return false;
  // Many tools get their token from a file into which a variable is written.
  if (copying) return !(token !== undefined && sent === "ask") && !keepsName(by, flow);
  return (shows(by) || secretFrom(by) !== undefined) && !flow.consumed().has(by);
}

function locksAway(by: Invocation, { effectsOf }: Flow): boolean {
  const wanted = by.name === "openssl" ? "write" : "read";
  return locks(by) && effectsOf.get(by)?.some(({ kind }) => kind === wanted) === true;
}

/** The copy is still recognized as a secret, or has the same name in another directory. */
function keepsName(by: Invocation, { effectsOf, ground }: Flow): boolean {
  const written = (effectsOf.get(by) ?? []).filter(({ kind }) => kind === "write");
  return written.every(({ path, spelled, literal }) => {
    const known = secretAt(path, ground.rules);
    return literal && (/(?:^|\/)\.{0,2}\/?$/.test(spelled) || (known !== undefined && !known.floor));
  });
}
