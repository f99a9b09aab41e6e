/** The person's choices for a registration, from options or answers. */

import type { Lane } from "../../hosts/registration.ts";
import { PROFILES, type Profile } from "../../state/settings/profiles.ts";
import type { Stance } from "../../state/stance.ts";
import { stanceNamed } from "../actions/stance.ts";
import { Problem } from "../problem.ts";
import { type Scope, scopeOf } from "./scope.ts";

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

/** The wishes of a person who says nothing. */
export const DEFAULT_WISHES: Wishes = {
  scope: "local",
  profile: undefined,
  lane: undefined,
  approve: undefined,
  stance: undefined,
};

type Words = { readonly [K in Exclude<keyof Wishes, "approve">]: string | undefined } & Pick<Wishes, "approve">;

/** An unknown value is an error, even if nothing else is asked. */
export function wishesIn({ scope, profile, lane, approve, stance }: Words): Partial<Wishes> {
  return {
    ...(scope !== undefined && { scope: scopeOf(scope) }),
    ...(profile !== undefined && { profile: profileOf(profile) }),
    ...(lane !== undefined && { lane: laneOf(lane) }),
    ...(approve !== undefined && { approve }),
    ...(stance !== undefined && { stance: stanceNamed(stance) }),
  };
}

function laneOf(given: string): Lane {
  if (given !== "fast" && given !== "plain") throw new Problem(`--lane is fast or plain, not "${given}".`);
  return given;
}

function profileOf(given: string): Profile {
  const profile = PROFILES.find(({ name }) => name === given);
  if (profile) return profile;
  const size = Math.max(...PROFILES.map(({ name }) => name.length));
  const lines = PROFILES.map(({ name, about }) => `  ${name.padEnd(size)}  ${about}`);
  throw new Problem(`There is no profile "${given}". Profiles are:\n${lines.join("\n")}`);
}
