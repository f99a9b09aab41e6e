/** How the checks stand where the session has changed something. */
import type { Facts } from "../../kernel/facts.ts";
import { type CheckStanding, standingsOf } from "../../kernel/verification.ts";

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
