/** The standing of the checks in trees that the session has changed. */

import { type CheckStanding, standingsOf } from "../../evidence/verification.ts";
import type { Facts } from "../../kernel/facts.ts";

type Known = Pick<Facts, "checkedTrees" | "personChecks" | "session" | "settings" | "now">;

export function standingsNow({
  checkedTrees,
  personChecks: person,
  session,
  settings,
  now,
}: Known): readonly CheckStanding[] {
  return checkedTrees.flatMap((tree) => standingsOf(tree, { session, person, verify: settings.verify, now }));
}
