/** What `init` puts into Sekisho's own settings: the profile, and whether earned trust answers for the person. */
import { yamlOf } from "../store/settings-text.ts";
import type { Here } from "./here.ts";
import type { Scope } from "./scope.ts";
import { carryOut, type Edit, type Plan, planEdits, settingsAfter } from "./settings-file.ts";
import type { Wishes } from "./wishes.ts";

/** Planned before the hooks are registered, so that a file that cannot be changed stops everything. */
export function planWishes({ scope, profile, approve }: Wishes, place: Here): readonly Plan[] {
  const edits: readonly (readonly [Scope, Edit])[] = [
    ...(profile ? [[scope, profileEdit(profile.name, scope, place)] as const] : []),
    ...(approve === undefined ? [] : [[ownScope(scope), approveEdit(approve)] as const]),
  ];
  return [...new Set(edits.map(([layer]) => layer))].map((layer) =>
    planEdits(
      layer,
      edits.flatMap(([of, edit]) => (of === layer ? [edit] : [])),
      place,
    ),
  );
}

/** What opens something is a person's own: a file that others get does not decide it for them. */
function ownScope(scope: Scope): Scope {
  return scope === "project" ? "local" : scope;
}

function approveEdit(approve: boolean): Edit {
  return { key: "trust.approve", ...(approve && { value: true }) };
}

/** A profile that holds without a line has none. */
function profileEdit(name: string, scope: Scope, place: Here): Edit {
  const without = planEdits(scope, [{ key: PROFILE }], place);
  return { key: PROFILE, ...(settingsAfter(without, place).profile.name !== name && { value: name }) };
}

const PROFILE = "profile.name";

/** What was written, in words. */
export function carryOutWishes(plans: readonly Plan[]): readonly string[] {
  for (const plan of plans) carryOut(plan);
  return plans.flatMap(({ path, changed }) =>
    changed.map(({ key, value }) => {
      const name = key === PROFILE ? "profile" : key;
      return value === undefined ? `${name} taken out of ${path}` : `${name}: ${yamlOf(value)} in ${path}`;
    }),
  );
}
