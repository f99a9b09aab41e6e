/** What people have let pass: single effects, and for a while everything but the floor. Given by a person's action only. */
import { bounded, own } from "./keyed.ts";

/** Lets one exact tool use pass. Its id is that of the verdict it lifts. */
export interface Grant {
  /** Digest of the tool use: whatever differs in a letter is another effect. */
  readonly effect: string;
  /** The policies whose objections were seen by the person; any other one still objects. */
  readonly policies: readonly string[];
  /** Gone with its first use. */
  readonly once: boolean;
  readonly at: number;
  readonly until: number;
  /** The tool use in a few words, for people. */
  readonly what: string;
}

/** Lets everything but the floor pass. */
export interface Pause {
  readonly at: number;
  readonly until: number;
}

export type GrantChange =
  | { readonly record: "grant"; readonly do: "give"; readonly id: string; readonly grant: Grant }
  | { readonly record: "grant"; readonly do: "take-back"; readonly id: string }
  | { readonly record: "grant"; readonly do: "use"; readonly id: string }
  | { readonly record: "pause"; readonly do: "begin"; readonly pause: Pause }
  | { readonly record: "pause"; readonly do: "end" };

/** The part of the state that is about leave. */
export interface Leave {
  readonly grants: Readonly<Record<string, Grant>>;
  readonly pause?: Pause;
}

export const GRANTS_MAX = 16;
/** Nothing is let pass for longer than a working day, whatever a record says. */
export const LEAVE_MS_MAX = 8 * 3_600_000;

/** What a person's action may do. Total: a change of a newer version, or of another shape, changes nothing. */
export function reduceLeave<L extends Leave>(leave: L, change: GrantChange): L {
  if (change.record === "pause") return reducePause(leave, change);
  if (change.record !== "grant") return leave;
  if (change.do === "give" && isGrant(change.grant)) {
    return { ...leave, grants: bounded(leave.grants, change.id, change.grant, GRANTS_MAX, ({ at }) => at) };
  }
  return change.do === "take-back" ? withoutGrant(leave, change.id) : leave;
}

/** What a verdict may do: use up what a person gave. It can never give. */
export function useGrant<L extends Leave>(leave: L, change: GrantChange): L {
  const isUse = change.record === "grant" && change.do === "use";
  return isUse && own(leave.grants, change.id)?.once ? withoutGrant(leave, change.id) : leave;
}

/** So that the state stays small; whether something is in force is asked of the clock all the same. */
export function withoutExpired<L extends Leave>(leave: L, t: number): L {
  const kept = Object.entries(leave.grants).filter(([, { until }]) => t < until);
  const ended = leave.pause !== undefined && t >= leave.pause.until;
  if (!ended && kept.length === Object.keys(leave.grants).length) return leave;
  return { ...(ended ? withoutPause(leave) : leave), grants: Object.fromEntries(kept) };
}

/** From when it was given until it ends: a clock that was set back opens nothing again. */
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
