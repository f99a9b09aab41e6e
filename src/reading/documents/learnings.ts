/** Maps activities to the learnings worth reading. */

/** Each topic has its own file, `learnings-<topic>.md`. */
export const TOPICS = ["feature-spec", "design", "coding"] as const;

export type Topic = (typeof TOPICS)[number];

/** Unlisted and unknown activities get all topics. */
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
