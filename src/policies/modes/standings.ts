/** The standing of the checks in trees that the session has changed. */

import { type CheckStanding, openChecks, standingsOf } from "../../evidence/verification.ts";
import type { Facts } from "../../kernel/facts.ts";

type Known = Pick<Facts, "checkedTrees" | "personChecks" | "session" | "settings" | "now">;

export function standingsNow({
  checkedTrees,
  personChecks: person,
  session,
  settings,
  now,
}: Known): readonly CheckStanding[] {
  return checkedTrees.flatMap((tree) => {
    const known = { session, person, verify: settings.verify, now };
    const open = new Set(openChecks(tree, known).map(({ check }) => check));
    // Where files cannot be looked at, a pass is all that the agent can reach.
    return standingsOf(tree, known).map((one) => (open.has(one.check) ? one : { ...one, standing: "passed" as const }));
  });
}
