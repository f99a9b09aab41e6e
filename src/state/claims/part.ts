/** The part `claims`: patterns of files that sessions reserve. What a session has written is in its own state. */
import { bounded, own } from "../../lib/keyed.ts";
import type { Holder } from "../inbox/records.ts";
import type { Part, PartRecord } from "../part.ts";
import type { Stamp } from "../record.ts";
import type { ClaimRecord } from "./records.ts";

export interface Claim {
  readonly id: string;
  readonly root: string;
  readonly glob: string;
  readonly holder: Holder;
  readonly at: number;
}

/** Files that a session wrote before this time are free. */
interface Release {
  readonly session: string;
  readonly root: string;
  readonly glob?: string;
  readonly at: number;
}

export interface Claims {
  readonly held: Readonly<Record<string, Claim>>;
  /** Oldest first. */
  readonly released: readonly Release[];
}

const CLAIMS_MAX = 100;
const RELEASED_MAX = 100;

export const noClaims: Claims = { held: {}, released: [] };

export const claims: Part<Claims> = {
  kinds: ["claim"],
  empty: noClaims,
  fold(value: Claims, record: PartRecord): Claims {
    const known = record as unknown as ClaimRecord & Stamp;
    if (known.do === "take") {
      const { id, root, glob, holder, t: at } = known;
      if (own(value.held, id)) return value;
      return { ...value, held: bounded(value.held, id, { id, root, glob, holder, at }, CLAIMS_MAX, (one) => one.at) };
    }
    if (known.do !== "release") return value;
    const { session, root, glob, t: at } = known;
    const isFreed = (one: Claim): boolean =>
      one.holder.session === session && one.root === root && (glob === undefined || glob === one.glob);
    const held = Object.fromEntries(Object.entries(value.held).filter(([, one]) => !isFreed(one)));
    const release: Release = { session, root, at, ...(glob !== undefined && { glob }) };
    return { held, released: [...value.released, release].slice(-RELEASED_MAX) };
  },
};
