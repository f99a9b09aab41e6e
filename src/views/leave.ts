/** Active grants, and which verdicts can be granted. */
import { isInForce, type Leave } from "../state/grants.ts";
import type { AuditEntry } from "./audit.ts";
import { isoTime, timeLeft } from "./time.ts";

export interface LeaveView {
  readonly pause: { readonly until: string; readonly left: string } | null;
  readonly grants: readonly {
    readonly id: string;
    readonly what: string;
    readonly policies: readonly string[];
    readonly once: boolean;
    readonly until: string;
    readonly left: string;
  }[];
}

export function leaveView({ pause, grants }: Leave, now: number): LeaveView {
  const when = (until: number) => ({ until: isoTime(until), left: timeLeft(until - now) });
  return {
    pause: pause && isInForce(pause, now) ? when(pause.until) : null,
    grants: Object.entries(grants)
      .filter(([, grant]) => isInForce(grant, now))
      .map(([id, { what, policies, once, until }]) => ({ id, what, policies, once, ...when(until) })),
  };
}

const EFFECT = /^[0-9a-f]{64}$/;

/** The effect and policies that a grant for this verdict would be bound to, or why it cannot be granted. */
export function grantable(
  entry: AuditEntry,
  floor: readonly string[],
): { readonly effect: string; readonly policies: readonly string[] } | { readonly problem: string } {
  if (entry.event !== "PreToolUse") {
    return { problem: "It is not about a tool use, so there is nothing it could be bound to. See `sekisho pause`." };
  }
  if (entry.objections.length === 0) return { problem: "Nothing objected to it, so there is nothing to allow." };
  const failed = entry.objections.find(({ fault }) => fault !== undefined);
  if (failed) {
    return { problem: `Sekisho itself failed there (${failed.fault}), so there is no judgement to lift. Repair that.` };
  }
  const fixed = entry.objections.find((objection) => objection.floor || floor.includes(objection.policy));
  if (fixed) {
    return {
      problem: `${fixed.policy} is part of the floor here: ${fixed.what}\nNo leave opens it. If you want it done, do it yourself.`,
    };
  }
  if (entry.effect === undefined || !EFFECT.test(entry.effect)) {
    return { problem: "Its record does not hold the exact tool use. Let the agent try again, and allow that one." };
  }
  return { effect: entry.effect, policies: entry.objections.map(({ policy }) => policy) };
}
