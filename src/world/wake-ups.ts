/** Prompts that the client will send by itself: whether one comes so soon that a turn may end until then. */
import type { HookEvent } from "../kernel/event.ts";

/** As long as the client lets an agent sleep, and a little for whoever is late. */
const SOON_MINUTES = 65;
const MINUTE_MS = 60_000;

/** One that comes next month wakes nobody who has work to do. */
export function wakesSoon(event: HookEvent, now: number): boolean {
  if (event.name !== "Stop") return false;
  return (event.schedules ?? []).some((schedule) => comesSoon(schedule, now));
}

/** Five fields, as cron reads them, in the time of this place. What cannot be read comes never. */
function comesSoon(schedule: string, now: number): boolean {
  const [minutes, hours, days, months, weekdays, ...more] = schedule.trim().split(/\s+/);
  if (!minutes || !hours || !days || !months || !weekdays || more.length > 0) return false;
  const isAnyDay = days === "*" || weekdays === "*";
  for (let ahead = 0; ahead <= SOON_MINUTES; ahead += 1) {
    const at = new Date(now + ahead * MINUTE_MS);
    const isDay = holds(days, at.getDate());
    const isWeekday = holds(weekdays, at.getDay()) || (at.getDay() === 0 && holds(weekdays, 7));
    // Where both are given, either will do.
    const isThen = isAnyDay ? isDay && isWeekday : isDay || isWeekday;
    if (isThen && holds(minutes, at.getMinutes()) && holds(hours, at.getHours()) && holds(months, at.getMonth() + 1))
      return true;
  }
  return false;
}

const PARTS_MAX = 60;

/** A list of numbers, ranges and steps. */
function holds(field: string, value: number): boolean {
  return field.split(",", PARTS_MAX).some((part) => {
    const [, all, first, last, step = "1"] = /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (all === undefined && first === undefined) return false;
    const from = Number(first ?? 0);
    const isOne = all === undefined && last === undefined && !part.includes("/");
    const to = isOne ? from : Number(last ?? 99);
    return value >= from && value <= to && (value - from) % Math.max(1, Number(step)) === 0;
  });
}
