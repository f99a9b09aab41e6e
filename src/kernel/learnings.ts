/** Which learnings are worth reading for which kind of activity. */

/** Each has a file of its own, `learnings-<topic>.md`. */
export const TOPICS = ["feature-spec", "design", "coding"] as const;

export type Topic = (typeof TOPICS)[number];

/** What is not listed, and what nobody knows, may need all of them. */
const TOPICS_FOR: Readonly<Record<string, readonly Topic[]>> = {
  "feature-spec": ["feature-spec"],
  design: ["feature-spec", "design"],
  implement: ["design", "coding"],
  plan: ["design", "coding"],
  review: ["design", "coding"],
  debug: ["coding"],
};

export function topicsFor(activity: string | undefined): readonly Topic[] {
  const known = activity !== undefined && Object.hasOwn(TOPICS_FOR, activity) ? TOPICS_FOR[activity] : undefined;
  return known ?? TOPICS;
}
