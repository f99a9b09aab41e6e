/** Maps whose keys come from outside. */

/** Adds or replaces an entry; beyond the limit the entry with the oldest time is dropped. */
export function bounded<T>(
  map: Readonly<Record<string, T>>,
  key: string,
  value: T,
  max: number,
  timeOf: (value: T) => number,
): Record<string, T> {
  const keys = Object.keys(map);
  if (keys.length < max || Object.hasOwn(map, key)) return put(map, key, value);
  let oldest = keys[0];
  let least = Number.POSITIVE_INFINITY;
  for (const other of keys) {
    const time = timeOf(map[other] as T);
    if (time < least) [oldest, least] = [other, time];
  }
  const next = copied(map, oldest);
  next[key] = value;
  return next;
}

/** Adds or replaces an entry. */
export function put<T>(map: Readonly<Record<string, T>>, key: string, value: T): Record<string, T> {
  const next = copied(map);
  next[key] = value;
  return next;
}

export function without<T>(map: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return copied(map, key);
}

/**
 * An object without a prototype is a hash table for V8. An ordinary one gets a hidden class for every new set of keys: a
 * copy of 200 calls, whose ids are all new, takes ten times as long.
 */
function copied<T>(map: Readonly<Record<string, T>>, but?: string): Record<string, T> {
  const copy: Record<string, T> = Object.create(null);
  for (const key of Object.keys(map)) if (key !== but) copy[key] = map[key] as T;
  return copy;
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
