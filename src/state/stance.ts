/** Which kinds of work are open: while planning, building or reviewing. Set by a person. */
export const STANCES = ["planning", "building", "auditing"] as const;

export type Stance = (typeof STANCES)[number];

export interface StanceChange {
  readonly record: "stance";
  readonly do: "set";
  readonly stance: Stance;
  /** Typed in the host and wider than before: it waits until the transcript shows that a person typed it. */
  readonly looser?: true;
}

/**
 * Ignores case and surrounding white space. An unknown word gives the strictest stance, so that a typo opens nothing.
 */
export function stanceNamed(word: string): Stance {
  return knownStance(word) ?? "auditing";
}

export function knownStance(word: string): Stance | undefined {
  const wanted = word.trim().toLowerCase();
  return STANCES.find((stance) => stance === wanted);
}

/** Building is the widest stance, auditing the narrowest. */
export function isTightening(wanted: string, held: Stance | undefined): boolean {
  const stance = knownStance(wanted);
  return stance === "auditing" || (stance === "planning" && held !== "auditing");
}
