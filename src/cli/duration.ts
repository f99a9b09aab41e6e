/** How long a leave lasts, as people write it: 90s, 10m, 2h. */
import { LEAVE_MS_MAX } from "../state/grants.ts";
import { CommandError } from "./print.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
const HOURS_MAX = LEAVE_MS_MAX / 3_600_000;

export function durationMs(value: string): number {
  const [, count, unit] = /^(\d{1,6})([smh])$/.exec(value) ?? [];
  const ms = Number(count) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (!(ms > 0 && ms <= LEAVE_MS_MAX)) {
    throw new CommandError(`--for takes a time such as 90s, 10m or 2h, of at most ${HOURS_MAX}h, not "${value}".`);
  }
  return ms;
}
