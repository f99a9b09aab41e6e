/** Parses the duration of a grant as people write it: 90s, 10m, 2h, 7d. */
import { LEAVE_MS_MAX } from "../../state/grants.ts";
import { Problem } from "../problem.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS };

export function durationMs(value: string, max = LEAVE_MS_MAX, option = "--for"): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const ms = Number(count) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (!(ms > 0 && ms <= max)) {
    const most = max < DAY_MS ? `${max / HOUR_MS}h` : `${max / DAY_MS}d`;
    const such = max < DAY_MS ? "90s, 10m or 2h" : "12h or 7d";
    throw new Problem(`${option} takes a time such as ${such}, of at most ${most}, not "${value}".`);
  }
  return ms;
}
