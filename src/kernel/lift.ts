/** Applies pauses, grants and habits to objections: either all are lifted or none. */

import { own } from "../lib/keyed.ts";
import { inline, type Text, text } from "../lib/text.ts";
import type { Grant, GrantChange, Leave } from "../state/grants.ts";
import type { Habit, Habits } from "../state/habits.ts";
import { type Action, signedAction } from "../state/signed-action.ts";
import { isOfMode } from "./arbiter.ts";
import type { HookEvent } from "./event.ts";
import { isUnknown, type LeaveInForce, type Unknown } from "./facts.ts";
import type { Policy } from "./policy.ts";
import type { Lift, Objection, Verdict } from "./verdict.ts";

export const PAUSE = "pause";
/** Nobody was there to answer a question that was only about trust. */
export const HEADLESS = "headless";
/** The person said yes to the same question in the session, and that is enough for it. */
export const AGREED = "agreed";
/** They need no grant, so there is nothing to use up or to verify. */
const WITHOUT_GRANT: ReadonlySet<string> = new Set([HEADLESS, AGREED]);

export function needsGrant(by: string): boolean {
  return !WITHOUT_GRANT.has(by);
}
/** Prefix of a habit's id; the use of a habit is not announced. */
const HABIT = "habit ";

/**
 * Undefined unless every objection is lifted: otherwise the action is refused or asked about anyway, and a grant would
 * be wasted. Unknown grants lift nothing.
 */
export function liftsOf(
  objections: readonly Objection[],
  leave: LeaveInForce | Unknown | undefined,
  { unbound, trustPasses, agreed }: Circumstances,
): readonly Lift[] | undefined {
  if (objections.length === 0) return undefined;
  const lifts = objections.flatMap((objection): readonly Lift[] => {
    if (!liftable(objection)) return [];
    const given = leave === undefined || isUnknown(leave) ? undefined : liftedBy(objection, leave, unbound);
    const byItself = isAgreed(objection, agreed) ? AGREED : undefined;
    const by = given ?? byItself ?? (trustPasses && isOnlyTrust(objection) ? HEADLESS : undefined);
    return by === undefined ? [] : [{ objection, by }];
  });
  return lifts.length === objections.length ? lifts : undefined;
}

/** The floor cannot be lifted. A fault cannot either, because the failed policy might have been the floor. */
function liftable({ floor, fault }: Objection): boolean {
  return floor !== true && fault === undefined;
}

/** What lifts objections besides a person's grants. */
interface Circumstances {
  readonly unbound: boolean;
  readonly trustPasses: boolean;
  /** What the person agreed to in this session. */
  readonly agreed: readonly string[];
}

function isAgreed({ agreement, decision }: Objection, agreed: readonly string[]): boolean {
  return decision === "ask" && agreement !== undefined && agreement.every((key) => agreed.includes(key));
}

function isOnlyTrust({ onlyTrust, decision }: Objection): boolean {
  return onlyTrust === true && decision === "ask";
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
      // An unbound event cannot use up a grant.
      !(grant.once && unbound),
  );
  return (fitting.find(({ once }) => !once) ?? fitting[0])?.id ?? habitFor(objection, leave);
}

/** A habit answers an ask ruling for the person; it never lifts a refusal. */
function habitFor(
  { policy, decision, family }: Objection,
  { habits = [], shape, cwd }: LeaveInForce,
): string | undefined {
  if (decision !== "ask") return undefined;
  const isMeant = (one: Habit): boolean =>
    one.family === undefined ? shape !== undefined && one.shape === shape && one.cwd === cwd : one.family === family;
  const habit = habits.find((one) => isMeant(one) && one.policies.includes(policy));
  return habit && `${HABIT}${habit.id}`;
}

/** The way to lift the objections, if any. A grant can only be bound to a tool use that has not happened yet. */
export function wayOutOf(
  event: HookEvent,
  objections: readonly Objection[],
  policies: readonly Policy[],
): Verdict["wayOut"] {
  const [first] = objections;
  if (!first || !objections.every(liftable)) return undefined;
  if (event.name === "PreToolUse") return "allow";
  // A mode is ended with cancel; a pause would only postpone it.
  return isOfMode(policies, first.policy) ? "cancel" : "pause";
}

/** The command for the person. An unbound event cannot use up a one-time grant, so it gets a time limit. */
export function allowCommand(id: string, unbound: boolean): string {
  return `sekisho allow ${id} ${unbound ? "--for 10m" : "--once"}`;
}

/** The used grants, each once. Lasting grants are not changed by this. */
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

/** True if the grants still existed right before the verdict's record; the first user wins. */
export function leaveStands(lifts: readonly Lift[], before: Leave & Pick<Habits, "habits">): boolean {
  const given = (by: string): unknown =>
    by.startsWith(HABIT) ? own(before.habits, by.slice(HABIT.length)) : own(before.grants, by);
  return lifts.every(({ by }) => !needsGrant(by) || (by === PAUSE ? before.pause : given(by)) !== undefined);
}

/** The signed action that gave what an objection was lifted by; undefined if no signature is known. */
export function actionBehind(
  by: string,
  { pause, grants, habits }: Leave & Pick<Habits, "habits">,
): Action | undefined {
  if (by === PAUSE) {
    const { proof, ...span } = pause ?? { at: 0, until: 0 };
    return signedAction({ record: "pause", do: "begin", pause: span }, proof);
  }
  const habit = by.startsWith(HABIT) ? by.slice(HABIT.length) : undefined;
  if (habit !== undefined) {
    const { proof, ...given } = own(habits, habit) ?? NO_HABIT;
    return signedAction({ record: "habit", do: "accept", id: habit, habit: given }, proof);
  }
  const { proof, ...grant } = own(grants, by) ?? NO_GRANT;
  return signedAction({ record: "grant", do: "give", id: by, grant }, proof);
}

const NO_HABIT: Habit = { shape: "", cwd: "", policies: [], at: 0, until: 0 };
const NO_GRANT: Grant = { effect: "", policies: [], once: true, at: 0, until: 0, what: "" };

function grantsIn(lifts: readonly Lift[]): readonly string[] {
  return [...new Set(lifts.map(({ by }) => by))].filter(
    (by) => by !== PAUSE && needsGrant(by) && !by.startsWith(HABIT),
  );
}
