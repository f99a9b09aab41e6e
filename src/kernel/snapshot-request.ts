/**
 * Describes the files an operation would lose and the snapshot to take before the answer. Plain data; the lane carries
 * it out.
 */

import type { Loss } from "../reading/operation/losses.ts";

/** Everything needed to take the snapshot, even in another thread. */
export interface SnapshotRequest {
  readonly losses: readonly Loss[];
  /** The project's root: nothing outside its work trees is copied. */
  readonly project: string;
  /** The directory of the copies. */
  readonly directory: string;
  readonly session: string;
  readonly call: string;
  /** With secrets masked. */
  readonly command: string;
  readonly now: number;
  readonly timeMs: number;
  readonly retention: Retention;
}

export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Why a file was not copied. */
export type LeftReason = "secret" | "size" | "number" | "ignored" | "special" | "unreadable" | "time";

export interface Left {
  readonly path: string;
  readonly reason: LeftReason;
}

export type SnapshotOutcome =
  /** There was nothing to lose. */
  | { readonly is: "empty" }
  | {
      readonly is: "kept";
      readonly id: string;
      /** SHA-256 of the list of kept files; a later restore is verified against it. */
      readonly manifest: string;
      readonly files: number;
      readonly bytes: number;
      /** The number of files that exist only in the snapshot. */
      readonly copies: number;
      readonly deletes: boolean;
      readonly leftCount: number;
      /** The first few. */
      readonly left: readonly Left[];
    }
  /** There were files to lose, but none was copied. */
  | { readonly is: "left"; readonly deletes: boolean; readonly leftCount: number; readonly left: readonly Left[] }
  | { readonly is: "failed"; readonly problem: string };

/**
 * What stands where a kept file would be restored. `missing`: nothing. `same`: the kept content. `committed`: another
 * content that git has. `newer`: another content that exists nowhere else. `blocked`: something is in the way.
 */
export type FileState = "missing" | "same" | "committed" | "newer" | "blocked";
