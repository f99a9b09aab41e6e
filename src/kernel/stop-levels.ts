/** In which order those speak who refuse the end of a turn. */

/**
 * The first that refuses leads, and it alone spends a refusal; the others are named after it. What other agents have sent
 * will stand where `messages` is.
 */
export const STOP_LEVELS = [
  "house",
  "messages",
  "closing",
  "verification",
  "step",
  "persistent",
  "qa",
  "turbo",
] as const;

export type StopLevel = (typeof STOP_LEVELS)[number];
