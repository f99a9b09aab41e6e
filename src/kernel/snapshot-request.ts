/** What would be lost, and what keeps a copy of it before an answer is spoken: data, carried out by whoever owns the lane. */

/** Something in the work tree that a tool use would take away, as far as its words tell. */
export type Loss =
  | {
      readonly how: "delete" | "overwrite";
      /** Absolute. */
      readonly path: string;
      /** The path is a pattern of the shell's. */
      readonly glob: boolean;
      readonly recursive: boolean;
      /** Below the path, only what has one of these names; patterns like the shell's. */
      readonly names?: readonly string[];
      /** Where the path is a directory, what would be put into it: those names in it are overwritten. */
      readonly from?: readonly string[];
    }
  | {
      /** What git would put back as it was committed, or remove because it was never told about it. */
      readonly how: "uncommitted" | "untracked";
      readonly cwd: string;
      readonly paths: readonly string[];
      /** Of what is untracked: ignored files go too, or nothing else does. */
      readonly ignored?: "too" | "only";
    }
  | { readonly how: "stash"; readonly cwd: string };

/** All that is needed to carry it out, in another thread if need be. */
export interface SnapshotRequest {
  readonly losses: readonly Loss[];
  /** The project's root: nothing outside its work trees is kept. */
  readonly project: string;
  /** Where the copies go. */
  readonly directory: string;
  readonly session: string;
  readonly call: string;
  /** Masked. */
  readonly command: string;
  readonly now: number;
  readonly timeMs: number;
  readonly retention: Retention;
}

export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Why something was not kept. */
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
      /** SHA-256 of the list of what was kept: what is brought back later is held against it. */
      readonly manifest: string;
      readonly files: number;
      readonly bytes: number;
      /** Of the files, those that only the snapshot has. */
      readonly copies: number;
      readonly deletes: boolean;
      readonly leftCount: number;
      /** The first few. */
      readonly left: readonly Left[];
    }
  /** Nothing was kept, but there was something. */
  | { readonly is: "left"; readonly deletes: boolean; readonly leftCount: number; readonly left: readonly Left[] }
  | { readonly is: "failed"; readonly problem: string };
