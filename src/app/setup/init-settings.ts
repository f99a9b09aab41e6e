/** The settings that `init` writes: the profile, and whether earned trust may answer permission prompts. */

import { yamlOf } from "../../store/settings/settings-text.ts";
import { carryOut, type Edit, type Plan, planEdits, settingsAfter } from "../actions/settings-file.ts";
import type { Here } from "../project.ts";
import type { Scope } from "./scope.ts";
import type { Wishes } from "./wishes.ts";

/** Planned before the hooks are registered, so that a settings file that cannot be changed stops `init` early. */
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

/** Settings that loosen protection are personal, so they are not written to the project's shared file. */
function ownScope(scope: Scope): Scope {
  return scope === "project" ? "local" : scope;
}

function approveEdit(approve: boolean): Edit {
  return { key: "trust.approve", ...(approve && { value: true }) };
}

/** Writes no line if the profile is in force without one. */
function profileEdit(name: string, scope: Scope, place: Here): Edit {
  const without = planEdits(scope, [{ key: PROFILE }], place);
  return { key: PROFILE, ...(settingsAfter(without, place).profile.name !== name && { value: name }) };
}

const PROFILE = "profile.name";

/** Writes the plans and returns a message for each. */
export function carryOutWishes(plans: readonly Plan[]): readonly string[] {
  for (const plan of plans) carryOut(plan);
  return plans.flatMap(({ path, changed }) =>
    changed.map(({ key, value }) => {
      const name = key === PROFILE ? "profile" : key;
      return value === undefined ? `${name} taken out of ${path}` : `${name}: ${yamlOf(value)} in ${path}`;
    }),
  );
}
