/** What a person wants of a registration: said by options, or in answers. */
import type { Lane } from "../hosts/claude-code/hooks.ts";
import { PROFILES, type Profile } from "../state/profiles.ts";
import { CommandError, table } from "./print.ts";
import { type Scope, scopeOf } from "./scope.ts";

export interface Wishes {
  readonly scope: Scope;
  readonly profile: Profile;
  /** Undefined: whichever is better here. */
  readonly lane: Lane | undefined;
}

export function profileLine({ about, values }: Profile): string {
  return values ? about : `${about} (not in this version)`;
}

type Words = { readonly [K in keyof Wishes]: string | undefined };

/** A word that means nothing is an error, whether or not anything else is asked. */
export function wishesIn({ scope, profile, lane }: Words): Partial<Wishes> {
  return {
    ...(scope !== undefined && { scope: scopeOf(scope) }),
    ...(profile !== undefined && { profile: profileOf(profile) }),
    ...(lane !== undefined && { lane: laneOf(lane) }),
  };
}

function laneOf(given: string): Lane {
  if (given !== "fast" && given !== "plain") throw new CommandError(`--lane is fast or plain, not "${given}".`);
  return given;
}

function profileOf(given: string): Profile {
  const profile = PROFILES.find(({ name }) => name === given);
  if (profile?.values) return profile;
  const what = profile ? `The profile "${given}" comes with a later version` : `There is no profile "${given}"`;
  const rows = PROFILES.map((known) => [known.name, profileLine(known)]);
  throw new CommandError(`${what}. Profiles are:\n${table(rows, "  ")}`);
}
