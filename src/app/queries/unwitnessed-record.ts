/** What `audit verify` says about a record that nobody but a program can have written. */

/** A record whose cause isn't in the transcript, failed there, or ran something else; or that we would not write. */
export interface Unwitnessed {
  readonly rid: string;
  readonly at: number;
  readonly session: string;
  readonly command: string;
}
