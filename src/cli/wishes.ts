/** What a person wants of a registration: said by options, or in answers. */
import type { Lane } from "../hosts/claude-code/hooks.ts";
import { CommandError, table } from "./print.ts";
import { type Scope, scopeOf } from "./scope.ts";

export interface Wishes {
  readonly scope: Scope;
  readonly profile: Profile;
  /** Undefined: whichever is better here. */
  readonly lane: Lane | undefined;
}

/** Profiles: named sets of settings, so that people can begin with a word in place of a file. */
export interface Profile {
  readonly name: string;
  /** What it means, in a line. */
  readonly about: string;
  readonly isHere: boolean;
}

/** `balanced` is what the defaults say, so there is nothing to write for it. */
export const PROFILES: readonly [Profile, ...Profile[]] = [
  {
    name: "balanced",
    about: "refuses what nothing undoes, asks where a person may want it, records everything",
    isHere: true,
  },
  { name: "oath", about: "asks wherever trust has not been earned yet", isHere: false },
  { name: "praxis", about: "work goes by a plan, step by step, with evidence", isHere: false },
  { name: "drive", about: "keeps the agent at it until the checks pass", isHere: false },
];

export function profileLine({ about, isHere }: Profile): string {
  return isHere ? about : `${about} (not in this version)`;
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
  if (profile?.isHere) return profile;
  const what = profile ? `The profile "${given}" comes with a later version` : `There is no profile "${given}"`;
  const rows = PROFILES.map((known) => [known.name, profileLine(known)]);
  throw new CommandError(`${what}. Profiles are:\n${table(rows, "  ")}`);
}
