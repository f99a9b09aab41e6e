/** Profiles: named sets of settings, so that people can begin with a word in place of a file. */

export interface Profile {
  readonly name: string;
  /** What it means, in a line. */
  readonly about: string;
  /** What it sets, by key. Undefined: not in this version. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** `balanced` is what the defaults say, so there is nothing to set for it. */
export const PROFILES: readonly [Profile, ...Profile[]] = [
  {
    name: "balanced",
    about: "refuses what nothing undoes, asks where a person may want it, records everything",
    values: {},
  },
  {
    name: "oath",
    about: "asks wherever trust has not been earned yet; nothing leaves the machine by git",
    values: { "profile.trust_gate": "domain", "profile.remote": "deny" },
  },
  { name: "praxis", about: "work goes by a plan, step by step, with evidence" },
  { name: "drive", about: "keeps the agent at it until the checks pass" },
];
