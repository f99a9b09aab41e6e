import { describe, expect, it } from "vitest";
import {
  HABIT_MS_MAX,
  type Habit,
  type Habits,
  isHabitInForce,
  noHabits,
  reduceHabits,
  SUGGESTIONS_MAX,
  suggest,
  withoutOldHabits,
} from "./habits.ts";

const asked = { shape: "make deploy", cwd: "/p", policies: ["require-trust"] };
const habit: Habit = { ...asked, at: 10, until: 100 };
const accepted = (known: Habits = noHabits, id = "a"): Habits =>
  reduceHabits(known, { record: "habit", do: "accept", id, habit });

describe("questions that a person approved", () => {
  it("are suggested once per shape, and counted", () => {
    const twice = suggest(suggest(noHabits, "a", asked, 1), "b", { ...asked, policies: ["no-publish"] }, 2);
    expect(twice.suggestions).toEqual({ a: { ...asked, policies: ["require-trust", "no-publish"], at: 2, times: 2 } });
    expect(twice.habits).toEqual({});
    expect(Object.keys(suggest(twice, "c", { ...asked, cwd: "/q" }, 3).suggestions)).toEqual(["a", "c"]);
  });

  it("become a habit only by an action, are not suggested again while it holds, and expire", () => {
    const known = accepted(suggest(noHabits, "a", asked, 1));
    expect(known).toEqual({ suggestions: {}, habits: { a: habit } });
    expect(suggest(known, "b", asked, 50)).toBe(known);
    expect(Object.keys(suggest(known, "b", asked, 100).suggestions)).toEqual(["b"]);
    expect(withoutOldHabits(known, 99)).toBe(known);
    expect(withoutOldHabits(known, 100).habits).toEqual({});
    expect([9, 10, 99, 100].map((now) => isHabitInForce(habit, now))).toEqual([false, true, true, false]);
    expect(isHabitInForce({ ...habit, at: 0, until: HABIT_MS_MAX + 1 }, 5)).toBe(false);
  });

  it("can be taken back, and a malformed change changes nothing", () => {
    expect(reduceHabits(accepted(), { record: "habit", do: "drop", id: "a" })).toEqual(noHabits);
    for (const strange of [{}, { ...habit, until: "x" }, undefined]) {
      const change = { record: "habit", do: "accept", id: "a", habit: strange as unknown as Habit } as const;
      expect(reduceHabits(noHabits, change)).toBe(noHabits);
    }
  });

  it("stays small", () => {
    const many = Array.from({ length: 40 }, (_, at) => at).reduce<Habits>(
      (known, at) => suggest(known, `s${at}`, { ...asked, shape: `make ${at}` }, at),
      noHabits,
    );
    expect(Object.keys(many.suggestions)).toHaveLength(SUGGESTIONS_MAX);
    expect(many.suggestions["s39"]).toBeDefined();
  });
});
