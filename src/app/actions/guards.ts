/** A person trusts a guard of the project as its file is now, or takes it out. */
import { inline } from "../../lib/text.ts";
import { GUARDS_MAX, type GuardScope, isGuardName } from "../../state/guards.ts";
import { GUARD_DIRECTORY, guardPath } from "../../world/machine/guard-file.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { type GuardView, guardsHere, isExecutable } from "../queries/guards.ts";
import { keepAction } from "./action.ts";

export function trustGuard(place: Here, name: string, on: GuardScope, person: Person): GuardView {
  const { digest } = guardNamed(place, name);
  const path = `${GUARD_DIRECTORY}/${name}`;
  if (digest === undefined) throw new Problem(`There is no file ${path}, or it is too large to be a guard.`);
  if (!isExecutable(guardPath(place.places.project, name)))
    throw new Problem(`${path} cannot be run. \`chmod +x ${path}\`, then trust it.`);
  const others = guardsHere(place).filter((one) => one.state !== "untrusted" && one.name !== name);
  if (others.length >= GUARDS_MAX)
    throw new Problem(`${GUARDS_MAX} guards are trusted already, and each runs at every change. Forget one first.`);
  const change = { record: "guard", do: "trust", name, digest, on } as const;
  keepAction(place.store, { action: "guard", detail: `trust ${name}`, changes: [change] }, Date.now(), person);
  return guardNamed(place, name);
}

export function forgetGuard(place: Here, name: string, person: Person): void {
  if (guardNamed(place, name).state === "untrusted") throw new Problem(`The guard ${name} was not trusted.`);
  const change = { record: "guard", do: "forget", name } as const;
  keepAction(place.store, { action: "guard", detail: `forget ${name}`, changes: [change] }, Date.now(), person);
}

function guardNamed(place: Here, name: string): GuardView {
  const found = isGuardName(name) ? guardsHere(place).find((one) => one.name === name) : undefined;
  if (found) return found;
  throw new Problem(`There is no guard “${inline(name)}” in ${GUARD_DIRECTORY}/. \`sekisho guard\` lists them.`);
}
