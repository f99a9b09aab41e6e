/** What a prompt asks for. Advice hangs on it, and nothing else: it opens and closes nothing. */
export const ACTIVITIES = ["implement", "design", "debug", "research", "plan", "review", "compound"] as const;

/** `none`: a greeting, thanks, a simple question. */
export type Activity = (typeof ACTIVITIES)[number] | "none";

export interface ActivityChange {
  readonly record: "session";
  readonly do: "activity";
  readonly activity: Activity;
}

/** Exactly the word; any case, white space around it ignored. */
export function knownActivity(word: string): Activity | undefined {
  const wanted = word.trim().toLowerCase();
  return wanted === "none" ? "none" : ACTIVITIES.find((activity) => activity === wanted);
}

/** What a session remembers of it. A word that this version does not know, or no activity at all, changes nothing. */
export function toldActivity({ activity }: ActivityChange): { readonly activity?: Activity } {
  const known = typeof activity === "string" ? knownActivity(activity) : undefined;
  return known === undefined || known === "none" ? {} : { activity: known };
}
