/** What a sentence of a prompt can say about the activity, and how much it weighs. */
import type { Activity } from "../state/activity.ts";

export type Kind = Exclude<Activity, "none">;

/** A command is what the sentence tells the agent to do; everything else is only mentioned. */
export interface Said {
  readonly activity: Kind;
  readonly weight: number;
  readonly isCommand: boolean;
  /** To look into something, whatever it is: trouble, if the prompt tells of any. */
  readonly isOpen?: boolean;
}

export const COMMAND = 6;
/** In another part of the sentence than the one that counts most. */
export const LATER = 4;
/** To mend something says little about what is known of it: trouble that is told beside it weighs more. */
export const MEND = 3;
/** Something is said not to work. */
export const TROUBLE = 4;
/** Said by the way. */
export const ASIDE = 2;

export function command(activity: Kind, weight = COMMAND): Said {
  return { activity, weight, isCommand: true };
}

export function mention(activity: Kind, weight: number): Said {
  return { activity, weight, isCommand: false };
}
