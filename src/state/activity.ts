/** The kind of work a prompt asks for. It only selects advice and never allows or denies anything. */
export const ACTIVITIES = ["implement", "design", "debug", "research", "plan", "review", "compound"] as const;

/** `none`: a greeting, thanks, a simple question. */
export type Activity = (typeof ACTIVITIES)[number] | "none";

export interface ActivityChange {
  readonly record: "session";
  readonly do: "activity";
  readonly activity: Activity;
}

/** Matches the exact word, ignoring case and surrounding white space. */
export function knownActivity(word: string): Activity | undefined {
  const wanted = word.trim().toLowerCase();
  return wanted === "none" ? "none" : ACTIVITIES.find((activity) => activity === wanted);
}

/** The part of the session that changes. An unknown word or `none` changes nothing. */
export function toldActivity({ activity }: ActivityChange): { readonly activity?: Activity } {
  const known = typeof activity === "string" ? knownActivity(activity) : undefined;
  return known === undefined || known === "none" ? {} : { activity: known };
}
