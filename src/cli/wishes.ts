/** What a person wants of a registration: said by options, or in answers. */
import type { Lane } from "../hosts/claude-code/hooks.ts";
import { knownMode, MODES, type ModeName } from "../state/modes.ts";
import { PROFILES, type Profile } from "../state/profiles.ts";
import { knownStance, STANCES, type Stance } from "../state/stance.ts";
import { CommandError, table } from "./print.ts";
import { type Scope, scopeOf } from "./scope.ts";

export interface Wishes {
  readonly scope: Scope;
  /** Undefined: as it is. */
  readonly profile: Profile | undefined;
  /** Undefined: whichever is better here. */
  readonly lane: Lane | undefined;
  /** May earned trust answer the client's own questions? Undefined: as it is. */
  readonly approve: boolean | undefined;
  /** Undefined: as it is, or the default where nobody has set one. */
  readonly stance: Stance | undefined;
}

type Words = { readonly [K in Exclude<keyof Wishes, "approve">]: string | undefined } & Pick<Wishes, "approve">;

/** A word that means nothing is an error, whether or not anything else is asked. */
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

/** A word that is none of them is an error and not the strictest: whoever types it is still there to correct it. */
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
