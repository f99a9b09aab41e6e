/** The project's own guards: those in the directory, and those that a person trusts. */
import { accessSync, constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { own } from "../../lib/keyed.ts";
import { type GuardScope, type Guards, isGuardName } from "../../state/guards.ts";
import { sha256Hex } from "../../store/digest.ts";
import { GUARD_DIRECTORY, guardDigest, guardPath } from "../../world/machine/guard-file.ts";
import { type Here, orFail } from "../project.ts";

export interface GuardView {
  readonly name: string;
  /** Only a `trusted` one is run. `changed`, `missing` and `not-executable` ones stop changes. */
  readonly state: "trusted" | "untrusted" | "changed" | "missing" | "not-executable";
  readonly on?: GuardScope;
  readonly trustedAt?: number;
  readonly digest?: string;
}

export function guardsHere({ places, store }: Pick<Here, "places" | "store">): readonly GuardView[] {
  return guardsIn(places.project, orFail(store.read()).guards ?? {});
}

export function guardsIn(project: string, trusted: Guards): readonly GuardView[] {
  const names = [...new Set([...Object.keys(trusted), ...filesIn(project)])].sort();
  return names.map((name) => viewOf(project, name, trusted));
}

function viewOf(project: string, name: string, trusted: Guards): GuardView {
  const path = guardPath(project, name);
  const digest = guardDigest(path, sha256Hex);
  const guard = own(trusted, name);
  const found = { name, ...(digest !== undefined && { digest }) };
  if (!guard) return { ...found, state: "untrusted" };
  const known = { ...found, on: guard.on, trustedAt: guard.at };
  if (digest === undefined) return { ...known, state: "missing" };
  if (digest !== guard.digest) return { ...known, state: "changed" };
  return { ...known, state: isExecutable(path) ? "trusted" : "not-executable" };
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function filesIn(project: string): readonly string[] {
  try {
    const entries = readdirSync(join(project, GUARD_DIRECTORY), { withFileTypes: true });
    return entries.flatMap((entry) => (!entry.isDirectory() && isGuardName(entry.name) ? [entry.name] : []));
  } catch {
    return [];
  }
}
