/** Maps whose keys come from outside. */

/** Adds or replaces an entry; beyond the limit the entry with the oldest time is dropped. */
export function bounded<T>(
  map: Readonly<Record<string, T>>,
  key: string,
  value: T,
  max: number,
  timeOf: (value: T) => number,
): Record<string, T> {
  const next: Record<string, T> = { ...map, [key]: value };
  if (Object.hasOwn(map, key)) return next;
  const keys = Object.keys(next);
  if (keys.length <= max) return next;
  // A plain loop over times that are asked for once: maps of open calls are long, and every call is added to one.
  let oldest = keys.find((other) => other !== key) ?? key;
  let least = timeOf(next[oldest] as T);
  for (const other of keys) {
    const time = timeOf(next[other] as T);
    if (time < least && other !== key) [oldest, least] = [other, time];
  }
  const { [oldest]: _, ...rest } = next;
  return rest;
}

/** Keys come from outside, so `constructor` and similar names must not find inherited properties. */
export function own<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Increments a counter; beyond the limit the counters not touched for longest are dropped. */
export function counted(counts: Readonly<Record<string, number>>, key: string, max: number): Record<string, number> {
  const { [key]: before = 0, ...others } = counts;
  return Object.fromEntries([...Object.entries(others).slice(1 - max), [key, before + 1]]);
}
