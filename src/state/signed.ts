/** What is kept of a person's signature, and of records that claim one. */

/** Why an action record does not count. */
export type VoidReason = "unsigned" | "forged" | "replayed" | "no-key";

/** An action record that claims a person's authority without having it. */
export interface Voided {
  readonly rid: string;
  readonly at: number;
  readonly action: string;
  readonly why: VoidReason;
}

/** The rest of the signed record behind a grant, a pause or a habit, so that it can be verified again when it is used. */
export interface Proof {
  readonly rid: string;
  readonly t: number;
  readonly action: string;
  readonly detail?: string;
  readonly sig: string;
}
