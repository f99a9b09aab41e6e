/** Questions that a person approved: first only a suggestion, and once accepted a grant for similar commands. */
import { bounded } from "../lib/keyed.ts";
import type { Proof } from "./signed.ts";

/** A question that was put to a person, reduced to what similar questions share. */
export interface Shape {
  /** The command without the files it changes. */
  readonly shape: string;
  /** The directory in which it was asked; elsewhere it is another question. */
  readonly cwd: string;
  /** The policies that asked. */
  readonly policies: readonly string[];
}

export interface Suggestion extends Shape {
  readonly at: number;
  readonly times: number;
}

/**
 * Allows questions of this shape, never refusals. Its id is the id of the verdict that first asked. For a family of
 * commands the id is its name, the shape is empty, and it counts in the whole project.
 */
export interface Habit extends Shape {
  readonly family?: string;
  readonly at: number;
  readonly until: number;
  readonly proof?: Proof;
}

export type HabitChange =
  | { readonly record: "habit"; readonly do: "accept"; readonly id: string; readonly habit: Habit }
  | { readonly record: "habit"; readonly do: "drop"; readonly id: string };

export interface Habits {
  readonly suggestions: Readonly<Record<string, Suggestion>>;
  readonly habits: Readonly<Record<string, Habit>>;
}

export const SUGGESTIONS_MAX = 12;
export const HABITS_MAX = 24;
export const HABIT_MS_MAX = 90 * 86_400_000;

export const noHabits: Habits = { suggestions: {}, habits: {} };

/** The command ran after the question, so the person approved it. That alone allows nothing. */
export function suggest<H extends Habits>(known: H, id: string, asked: Shape, at: number): H {
  const isLike = (other: Shape): boolean => other.shape === asked.shape && other.cwd === asked.cwd;
  if (Object.values(known.habits).some((habit) => isLike(habit) && at < habit.until)) return known;
  const [first = id, before] = Object.entries(known.suggestions).find(([, one]) => isLike(one)) ?? [];
  const policies = [...new Set([...(before?.policies ?? []), ...asked.policies])];
  const suggestion = { ...asked, policies, at, times: (before?.times ?? 0) + 1 };
  return { ...known, suggestions: bounded(known.suggestions, first, suggestion, SUGGESTIONS_MAX, (one) => one.at) };
}

/** Applies a person's action. A change of another shape changes nothing. */
export function reduceHabits<H extends Habits>(known: H, change: HabitChange): H {
  if (change.do === "accept" && isHabit(change.habit)) {
    const { [change.id]: _, ...suggestions } = known.suggestions;
    const habits = bounded(known.habits, change.id, change.habit, HABITS_MAX, ({ at }) => at);
    return { ...known, suggestions, habits };
  }
  if (change.do !== "drop") return known;
  const { [change.id]: _, ...suggestions } = known.suggestions;
  const { [change.id]: __, ...habits } = known.habits;
  return { ...known, suggestions, habits };
}

export function withoutOldHabits<H extends Habits>(known: H, t: number): H {
  if (Object.keys(known.habits).length === 0) return known;
  const kept = Object.entries(known.habits).filter(([, { until }]) => t < until);
  return kept.length === Object.keys(known.habits).length ? known : { ...known, habits: Object.fromEntries(kept) };
}

/** `at` is checked too, so that a clock set back makes no habit valid again. */
export function isHabitInForce({ at, until }: Habit, now: number): boolean {
  return at <= now && now < until && until - at <= HABIT_MS_MAX;
}

function isHabit(value: Partial<Habit> | undefined): boolean {
  return (
    typeof value?.shape === "string" &&
    typeof value.cwd === "string" &&
    typeof value.at === "number" &&
    typeof value.until === "number" &&
    Array.isArray(value.policies)
  );
}
