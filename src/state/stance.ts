/** Which kinds of work are open: while a plan is made, while it is built, while it is looked over. Set by a person. */
export const STANCES = ["planning", "building", "auditing"] as const;

export type Stance = (typeof STANCES)[number];

export type StanceChange = { readonly record: "stance"; readonly do: "set"; readonly stance: Stance };

/** Any case, white space around it ignored. A word that is none is the strictest of them: nothing opens by a slip. */
export function stanceNamed(word: string): Stance {
  return knownStance(word) ?? "auditing";
}

export function knownStance(word: string): Stance | undefined {
  const wanted = word.trim().toLowerCase();
  return STANCES.find((stance) => stance === wanted);
}
