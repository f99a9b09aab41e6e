/** Times for people. */

/** UTC, ISO 8601 with Z, to the second. */
export function isoTime(ms: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: a conversion of a given time, not a look at the clock.
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** An ISO time for a column whose head says that it is UTC. */
export function columnTime(iso: string): string {
  return iso.replace("T", " ").replace("Z", "");
}

/** Remaining time in minutes; the last minute in seconds. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Age in the largest fitting unit. */
export function relativeAge(ms: number): string {
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ] as const;
  const unit = units.find(([size]) => ms >= size);
  if (!unit) return "just now";
  const count = Math.floor(ms / unit[0]);
  return `${count} ${unit[1]}${count === 1 ? "" : "s"} ago`;
}

/** Short form of the age. */
export function shortAge(ms: number): string {
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "m"],
  ] as const;
  const unit = units.find(([size]) => ms >= size);
  return unit ? `${Math.floor(ms / unit[0])}${unit[1]}` : `${Math.max(0, Math.floor(ms / 1000))}s`;
}
