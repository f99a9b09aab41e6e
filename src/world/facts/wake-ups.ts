/** Tells whether a scheduled prompt of the host comes soon enough that the turn may end until then. */
import type { HookEvent } from "../../kernel/event.ts";

/** The longest sleep that the host allows an agent, plus a margin. */
const SOON_MINUTES = 65;
const MINUTE_MS = 60_000;

/** A prompt that comes next month is no reason to end a turn with open work. */
export function wakesSoon(event: HookEvent, now: number): boolean {
  if (event.name !== "Stop") return false;
  return (event.schedules ?? []).some((schedule) => comesSoon(schedule, now));
}

/** Five cron fields in local time. A schedule that cannot be parsed never fires. */
function comesSoon(schedule: string, now: number): boolean {
  const [minutes, hours, days, months, weekdays, ...more] = schedule.trim().split(/\s+/);
  if (!minutes || !hours || !days || !months || !weekdays || more.length > 0) return false;
  const isAnyDay = days === "*" || weekdays === "*";
  for (let ahead = 0; ahead <= SOON_MINUTES; ahead += 1) {
    const at = new Date(now + ahead * MINUTE_MS);
    const isDay = holds(days, at.getDate());
    const isWeekday = holds(weekdays, at.getDay()) || (at.getDay() === 0 && holds(weekdays, 7));
    // As in cron: when both day fields are set, either may match.
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
