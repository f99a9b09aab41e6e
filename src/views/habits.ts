/** Questions that a person approved: open suggestions and active habits. */
import { type Habits, isHabitInForce } from "../state/habits.ts";
import { isoTime, relativeAge, timeLeft } from "./time.ts";

export interface HabitsView {
  readonly suggestions: readonly {
    readonly id: string;
    readonly shape: string;
    readonly cwd: string;
    readonly policies: readonly string[];
    readonly times: number;
    readonly lastSeen: string;
  }[];
  readonly habits: readonly {
    readonly id: string;
    readonly shape: string;
    readonly cwd: string;
    readonly policies: readonly string[];
    readonly until: string;
    readonly left: string;
  }[];
}

export function habitsView({ suggestions, habits }: Habits, now: number): HabitsView {
  return {
    suggestions: Object.entries(suggestions)
      .sort(([, a], [, b]) => b.at - a.at)
      .map(([id, { shape, cwd, policies, times, at }]) => {
        return { id, shape, cwd, policies, times, lastSeen: relativeAge(now - at) };
      }),
    habits: Object.entries(habits)
      .filter(([, habit]) => isHabitInForce(habit, now))
      .map(([id, { shape, family, cwd, policies, until }]) => {
        return {
          id,
          shape: family === undefined ? shape : `every ${family}`,
          cwd,
          policies,
          until: isoTime(until),
          left: timeLeft(until - now),
        };
      }),
  };
}
