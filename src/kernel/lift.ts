/** What a person's leave does to objections: all of them are lifted, or none is. */
import type { GrantChange, Leave } from "../state/grants.ts";
import { own } from "../state/session.ts";
import type { HookEvent } from "./event.ts";
import { isUnknown, type LeaveInForce, type Unknown } from "./facts.ts";
import { inline, type Text, text } from "./text.ts";
import type { Lift, Objection, Verdict } from "./verdict.ts";

export const PAUSE = "pause";

/**
 * Undefined unless every objection is lifted: with one left the action is refused or asked about anyway, and a grant
 * must not be used up for nothing. What is not known lifts nothing.
 */
export function liftsOf(
  objections: readonly Objection[],
  leave: LeaveInForce | Unknown | undefined,
  unbound: boolean,
): readonly Lift[] | undefined {
  if (objections.length === 0 || leave === undefined || isUnknown(leave)) return undefined;
  const lifts = objections.flatMap((objection): readonly Lift[] => {
    const by = liftable(objection) ? liftedBy(objection, leave, unbound) : undefined;
    return by === undefined ? [] : [{ objection, by }];
  });
  return lifts.length === objections.length ? lifts : undefined;
}

/** A leave answers a judgement. The floor has none, and where we failed there was no judgement: it could be the floor. */
function liftable({ floor, fault }: Objection): boolean {
  return floor !== true && fault === undefined;
}

function liftedBy(
  { policy }: Objection,
  { pause, grants, effect }: LeaveInForce,
  unbound: boolean,
): string | undefined {
  if (pause) return PAUSE;
  const fitting = grants.filter(
    (grant) =>
      effect !== undefined &&
      grant.effect === effect &&
      grant.policies.includes(policy) &&
      // An event that leaves no mark cannot use anything up.
      !(grant.once && unbound),
  );
  return (fitting.find(({ once }) => !once) ?? fitting[0])?.id;
}

/** What could lift them, if anything. Only a tool use that has not happened is an effect a grant can be bound to. */
export function wayOutOf(event: HookEvent, objections: readonly Objection[]): Verdict["wayOut"] {
  if (objections.length === 0 || !objections.every(liftable)) return undefined;
  return event.name === "PreToolUse" ? "allow" : "pause";
}

/** How a person lets it pass. An event that leaves no mark cannot use anything up, so once is not for it. */
export function allowCommand(id: string, unbound: boolean): string {
  return `sekisho allow ${id} ${unbound ? "--for 10m" : "--once"}`;
}

/** The grants that were needed, each once. Those that last longer are not changed by it. */
export function usesOf(lifts: readonly Lift[]): readonly GrantChange[] {
  return grantsIn(lifts).map((id) => ({ record: "grant", do: "use", id }));
}

export function liftNotices(lifts: readonly Lift[]): readonly Text[] {
  return grantsIn(lifts).map((id) => {
    const what = lifts.find(({ by }) => by === id)?.objection.what ?? text("", "");
    return text(
      `allowed by a person (${id}): ${inline(what.en, 200)}`,
      `人の許可により通しました (${id}): ${inline(what.ja, 200)}`,
    );
  });
}

/** True while the leave that a verdict rests on was still there just before its own record: the first has it. */
export function leaveStands(lifts: readonly Lift[], before: Leave): boolean {
  return lifts.every(({ by }) => (by === PAUSE ? before.pause : own(before.grants, by)) !== undefined);
}

function grantsIn(lifts: readonly Lift[]): readonly string[] {
  return [...new Set(lifts.map(({ by }) => by))].filter((by) => by !== PAUSE);
}
