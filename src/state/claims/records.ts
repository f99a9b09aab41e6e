/** The record of a claim. See ADR 0060. */
import type { Holder } from "../inbox/records.ts";

export type ClaimRecord =
  | {
      readonly kind: "claim";
      readonly do: "take";
      readonly id: string;
      /** The work tree, and a pattern in it. */
      readonly root: string;
      readonly glob: string;
      readonly holder: Holder;
    }
  /** `glob`: of what the session has reserved or written; absent: everything. */
  | {
      readonly kind: "claim";
      readonly do: "release";
      readonly session: string;
      readonly root: string;
      readonly glob?: string;
    };
