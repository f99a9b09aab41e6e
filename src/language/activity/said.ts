/** The types for what a sentence says about the activity, and the weights. */
import type { Activity } from "../../state/activity.ts";

export type Kind = Exclude<Activity, "none">;

/** A command is something the agent is told to do; everything else is a mention. */
export interface Said {
  readonly activity: Kind;
  readonly weight: number;
  readonly isCommand: boolean;
  /** An open request to investigate: becomes debugging if the prompt mentions trouble. */
  readonly isOpen?: boolean;
}

export const COMMAND = 6;
/** A command in another clause than the main one. */
export const LATER = 4;
/** "Fix" alone says little about the cause, so trouble mentioned beside it weighs more. */
export const FIX = 3;
/** A statement that something does not work. */
export const TROUBLE = 4;
/** A mention in passing. */
export const ASIDE = 2;

export function command(activity: Kind, weight = COMMAND): Said {
  return { activity, weight, isCommand: true };
}

export function mention(activity: Kind, weight: number): Said {
  return { activity, weight, isCommand: false };
}
