/** The person's choices for a registration, from options or answers. */

import { type Scope, scopeOf } from "../../app/setup/scope.ts";
import type { Lane } from "../../hosts/registration.ts";
import { knownMode, MODES, type ModeName } from "../../state/session/modes.ts";
import { PROFILES, type Profile } from "../../state/settings/profiles.ts";
import { knownStance, STANCES, type Stance } from "../../state/stance.ts";
import { CommandError, table } from "../print.ts";

export interface Wishes {
  readonly scope: Scope;
  /** Undefined leaves the setting as it is. */
  readonly profile: Profile | undefined;
  /** Undefined: the better lane is chosen. */
  readonly lane: Lane | undefined;
  /** Whether earned trust may answer the host's permission prompts. Undefined leaves the setting as it is. */
  readonly approve: boolean | undefined;
  /** Undefined leaves the setting as it is, or sets the default if there is none. */
  readonly stance: Stance | undefined;
}

type Words = { readonly [K in Exclude<keyof Wishes, "approve">]: string | undefined } & Pick<Wishes, "approve">;

/** An unknown value is an error, even if nothing else is asked. */
export function wishesIn({ scope, profile, lane, approve, stance }: Words): Partial<Wishes> {
  return {
    ...(scope !== undefined && { scope: scopeOf(scope) }),
    ...(profile !== undefined && { profile: profileOf(profile) }),
    ...(lane !== undefined && { lane: laneOf(lane) }),
    ...(approve !== undefined && { approve }),
    ...(stance !== undefined && { stance: stanceOf(stance) }),
  };
}

function laneOf(given: string): Lane {
  if (given !== "fast" && given !== "plain") throw new CommandError(`--lane is fast or plain, not "${given}".`);
  return given;
}

/** An unknown stance is an error instead of the strictest one, because the person can correct it right away. */
export function stanceOf(given: string): Stance {
  const stance = knownStance(given);
  if (!stance) throw new CommandError(`There is no stance "${given}". They are: ${STANCES.join(", ")}.`);
  return stance;
}

function profileOf(given: string): Profile {
  const profile = PROFILES.find(({ name }) => name === given);
  if (profile) return profile;
  const rows = PROFILES.map(({ name, about }) => [name, about]);
  throw new CommandError(`There is no profile "${given}". Profiles are:\n${table(rows, "  ")}`);
}

export function modeNamed(word: string): ModeName {
  const name = knownMode(word.trim().toLowerCase());
  if (!name) throw new CommandError(`There is no mode "${word}". It is one of ${MODES.join(", ")}.`);
  return name;
}
