/**
 * Grants that a person gave: for single tool uses, and a pause for everything but the floor. Only a person's action
 * gives them.
 */
import { bounded, own } from "../lib/keyed.ts";
import type { Proof } from "./signed.ts";

/** Allows one exact tool use. Its id is the id of the verdict it lifts. */
export interface Grant {
  /** Digest of the tool use; any difference makes it another effect. */
  readonly effect: string;
  /** The policies whose objections the person saw; other policies still object. */
  readonly policies: readonly string[];
  /** Used up by its first use. */
  readonly once: boolean;
  readonly at: number;
  readonly until: number;
  /** Short description of the tool use for people. */
  readonly what: string;
  readonly proof?: Proof;
}

/** Allows everything but the floor. */
export interface Pause {
  readonly at: number;
  readonly until: number;
  readonly proof?: Proof;
}

export type GrantChange =
  | { readonly record: "grant"; readonly do: "give"; readonly id: string; readonly grant: Grant }
  | { readonly record: "grant"; readonly do: "take-back"; readonly id: string }
  | { readonly record: "grant"; readonly do: "use"; readonly id: string }
  | { readonly record: "pause"; readonly do: "begin"; readonly pause: Pause }
  | { readonly record: "pause"; readonly do: "end" };

/** The part of the state that holds grants. */
export interface Leave {
  readonly grants: Readonly<Record<string, Grant>>;
  readonly pause?: Pause;
}

export const GRANTS_MAX = 16;
/** No grant lasts longer than a working day, whatever the record says. */
export const LEAVE_MS_MAX = 8 * 3_600_000;

/** Applies a person's action. A change of a newer version or another shape changes nothing. */
export function reduceLeave<L extends Leave>(leave: L, change: GrantChange): L {
  if (change.record === "pause") return reducePause(leave, change);
  if (change.record !== "grant") return leave;
  if (change.do === "give" && isGrant(change.grant)) {
    return { ...leave, grants: bounded(leave.grants, change.id, change.grant, GRANTS_MAX, ({ at }) => at) };
  }
  return change.do === "take-back" ? withoutGrant(leave, change.id) : leave;
}

/** A verdict can only use up a grant; it can never give one. */
export function useGrant<L extends Leave>(leave: L, change: GrantChange): L {
  const isUse = change.record === "grant" && change.do === "use";
  return isUse && own(leave.grants, change.id)?.once ? withoutGrant(leave, change.id) : leave;
}

/** Keeps the state small; isInForce checks the clock in any case. */
export function withoutExpired<L extends Leave>(leave: L, t: number): L {
  const kept = Object.entries(leave.grants).filter(([, { until }]) => t < until);
  const ended = leave.pause !== undefined && t >= leave.pause.until;
  if (!ended && kept.length === Object.keys(leave.grants).length) return leave;
  return { ...(ended ? withoutPause(leave) : leave), grants: Object.fromEntries(kept) };
}

/** `at` is checked too, so that a clock set back makes no grant valid again. */
export function isInForce({ at, until }: Pause, now: number): boolean {
  return at <= now && now < until && until - at <= LEAVE_MS_MAX;
}

function reducePause<L extends Leave>(leave: L, change: Extract<GrantChange, { record: "pause" }>): L {
  if (change.do === "begin" && isSpan(change.pause)) return { ...leave, pause: change.pause };
  return change.do === "end" ? withoutPause(leave) : leave;
}

function withoutPause<L extends Leave>(leave: L): L {
  const { pause: _, ...rest } = leave;
  return rest as L;
}

function withoutGrant<L extends Leave>(leave: L, id: string): L {
  if (own(leave.grants, id) === undefined) return leave;
  const { [id]: _, ...grants } = leave.grants;
  return { ...leave, grants };
}

function isGrant(value: unknown): boolean {
  const { effect, policies, once, what } = (value ?? {}) as Partial<Record<keyof Grant, unknown>>;
  return (
    isSpan(value) &&
    typeof effect === "string" &&
    typeof once === "boolean" &&
    typeof what === "string" &&
    Array.isArray(policies)
  );
}

function isSpan(value: unknown): boolean {
  const { at, until } = (value ?? {}) as Partial<Record<keyof Pause, unknown>>;
  return typeof at === "number" && typeof until === "number";
}
