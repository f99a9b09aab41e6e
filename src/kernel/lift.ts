/** What a person's leave does to objections: all of them are lifted, or none is. */
import type { GrantChange, Leave } from "../state/grants.ts";
import type { Habits } from "../state/habits.ts";
import { own } from "../state/keyed.ts";
import { isOfMode } from "./arbiter.ts";
import type { HookEvent } from "./event.ts";
import { isUnknown, type LeaveInForce, type Unknown } from "./facts.ts";
import type { Policy } from "./policy.ts";
import { inline, type Text, text } from "./text.ts";
import type { Lift, Objection, Verdict } from "./verdict.ts";

export const PAUSE = "pause";
/** Before the id of a habit: what a person accepted for good they need not be told at every use. */
const HABIT = "habit ";

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

function liftedBy(objection: Objection, leave: LeaveInForce, unbound: boolean): string | undefined {
  const { policy } = objection;
  const { pause, grants, effect } = leave;
  if (pause) return PAUSE;
  const fitting = grants.filter(
    (grant) =>
      effect !== undefined &&
      grant.effect === effect &&
      grant.policies.includes(policy) &&
      // An event that leaves no mark cannot use anything up.
      !(grant.once && unbound),
  );
  return (fitting.find(({ once }) => !once) ?? fitting[0])?.id ?? habitFor(objection, leave);
}

/** A habit answers a question for the person. What is refused is not asked, and so it is never answered. */
function habitFor({ policy, decision }: Objection, { habits = [], shape, cwd }: LeaveInForce): string | undefined {
  if (decision !== "ask" || shape === undefined) return undefined;
  const habit = habits.find((one) => one.shape === shape && one.cwd === cwd && one.policies.includes(policy));
  return habit && `${HABIT}${habit.id}`;
}

/** What could lift them, if anything. Only a tool use that has not happened is an effect a grant can be bound to. */
export function wayOutOf(
  event: HookEvent,
  objections: readonly Objection[],
  policies: readonly Policy[],
): Verdict["wayOut"] {
  const [first] = objections;
  if (!first || !objections.every(liftable)) return undefined;
  if (event.name === "PreToolUse") return "allow";
  // What a person has begun they end; a pause would only put it off.
  return isOfMode(policies, first.policy) ? "cancel" : "pause";
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
export function leaveStands(lifts: readonly Lift[], before: Leave & Pick<Habits, "habits">): boolean {
  const given = (by: string): unknown =>
    by.startsWith(HABIT) ? own(before.habits, by.slice(HABIT.length)) : own(before.grants, by);
  return lifts.every(({ by }) => (by === PAUSE ? before.pause : given(by)) !== undefined);
}

function grantsIn(lifts: readonly Lift[]): readonly string[] {
  return [...new Set(lifts.map(({ by }) => by))].filter((by) => by !== PAUSE && !by.startsWith(HABIT));
}
