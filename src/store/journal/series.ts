/** The contents of snapshots: the ledger, which every reader needs, and each part in files of its own. */
import type { Part, PartTable } from "../../state/part.ts";
import { newState } from "../../state/state.ts";
import type { Authority } from "../authority.ts";
import type { Listing } from "./directory.ts";
import { type Ledger, newLedger } from "./ledger.ts";
import type { Place, Series } from "./snapshot.ts";

/** Set by the build: hashes of the reducers' code. */
declare const __REDUCER_HASH__: string | undefined;
declare const __PART_HASHES__: Readonly<Record<string, string>> | undefined;

const UNBUILT = "dev";

/** Fields that other reducers didn't know start empty. What counts depends on the person's key too. */
export function ledgersOf({ name }: Pick<Authority, "name">): Series<Ledger> {
  return {
    part: "",
    reducer: (typeof __REDUCER_HASH__ === "string" ? __REDUCER_HASH__ : UNBUILT) + name,
    isOne: (value): value is Ledger => hasFieldsOf(newLedger, value),
    inherit: (ledger) => ({ ...ledger, state: { ...newState, ...ledger.state } }),
  };
}

export interface PartSnapshot extends Place {
  readonly value: object;
}

const ANY_PART: PartSnapshot = { segment: 0, offset: 0, last: "", value: {} };

export function seriesOf(name: string, { empty }: Part): Series<PartSnapshot> {
  return {
    part: name,
    reducer: (typeof __PART_HASHES__ === "object" ? __PART_HASHES__[name] : undefined) ?? UNBUILT,
    isOne: isPartSnapshot,
    inherit: (old) => ({ ...old, value: { ...empty, ...old.value } }),
  };
}

function isPartSnapshot(value: unknown): value is PartSnapshot {
  return hasFieldsOf(ANY_PART, value);
}

/** The properties of any series, even one of a part that this version doesn't know. */
export interface AnySeries extends Pick<Series<Place>, "part" | "isOne"> {
  /** Undefined for an unknown part. */
  readonly reducer: string | undefined;
}

/** The series of the ledger, of all parts, and of unknown parts that another version left in the directory. */
export function seriesIn(
  { snapshots }: Listing,
  parts: PartTable,
  authority: Pick<Authority, "name">,
): readonly AnySeries[] {
  const known = [ledgersOf(authority), ...Object.entries(parts).map(([name, part]) => seriesOf(name, part))];
  const strange = new Set(snapshots.map(({ part }) => part).filter((part) => !known.some((one) => one.part === part)));
  return [...known, ...[...strange].map((part) => ({ part, reducer: undefined, isOne: isPartSnapshot }))];
}

function hasFieldsOf(example: object, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(example).every(([key, empty]) => typeof fields[key] === typeof empty);
}
