/** Which kinds of work are open: while planning, building or reviewing. Set by a person. */
export const STANCES = ["planning", "building", "auditing"] as const;

export type Stance = (typeof STANCES)[number];

export type StanceChange = { readonly record: "stance"; readonly do: "set"; readonly stance: Stance };

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
