/** The order in which policies that refuse a Stop speak. */

/**
 * The first policy that refuses leads, and only it uses up a refusal; the others are listed after it. `messages` is
 * reserved for messages from other agents.
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
