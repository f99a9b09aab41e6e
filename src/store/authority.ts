/** Decides, when an action record is read, whether it has the authority that it claims. */
import { claimsAuthority, withAgentsModes, withoutAuthority, withoutLeave } from "../state/authority.ts";
import { keyName, type PersonKey } from "../state/person-key.ts";
import type { VoidReason } from "../state/signed.ts";
import type { Action } from "../state/signed-action.ts";
import type { State } from "../state/state.ts";
import { isSignedBy } from "./signature.ts";

/** What this user and these hooks say about a key. */
export interface KeyInForce {
  readonly key?: PersonKey | undefined;
  /** The person has chosen to have none. Otherwise a journal with signed records and no key counts no unsigned ones. */
  readonly isOff?: boolean;
}

export interface Authority {
  /** The state depends on the key, so snapshots are kept apart by this name; empty without a key. */
  readonly name: string;
  /** The record as it counts after this state. */
  check(record: Action, state: State): Action;
  /** Whether a person signed what lets an action pass. True without a key. */
  vouches(record: Action | undefined): boolean;
  /** Signatures looked at so far: after some a snapshot is due, so that no other process need look again. */
  looked(): number;
}

export function authorityOf({ key, isOff = false }: KeyInForce, project: string): Authority {
  let looked = 0;
  const isSigned = (record: Action): boolean => {
    looked++;
    return key !== undefined && isSignedBy(key, record, project);
  };
  const flawOf = (record: Action, state: State): VoidReason | undefined => {
    if (!key) return isOff || (state.signed === undefined && record.sig === undefined) ? undefined : "no-key";
    if (record.sig === undefined) return "unsigned";
    if (record.t <= (state.signed ?? 0)) return "replayed";
    return isSigned(record) ? undefined : "forged";
  };
  return {
    name: key ? `k${keyName(key)}` : isOff ? "off" : "",
    check(stored, state) {
      const { void: _, ...record } = stored;
      if (!claimsAuthority(record, state)) return key && record.sig === undefined ? withAgentsModes(record) : record;
      // Everything up to this record is older than the key: it counts as it did then.
      if (key && Math.max(state.t, record.t) < key.since && record.sig === undefined) return withoutLeave(record);
      const flaw = flawOf(record, state);
      return flaw === undefined ? record : withoutAuthority(record, state, flaw);
    },
    vouches: (record) => key === undefined || (record !== undefined && isSigned(record)),
    looked: () => looked,
  };
}

export const NO_AUTHORITY: Authority = authorityOf({}, "");
