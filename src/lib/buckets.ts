/**
 * A map in a fixed number of buckets. To change one entry copies one bucket and not the whole map, so that a fold over
 * thousands of records stays quick. Plain JSON, like everything that a snapshot holds.
 */
import { own } from "./keyed.ts";

export type Buckets<T> = readonly Readonly<Record<string, T>>[];

const COUNT = 128;

export const noBuckets: Buckets<never> = [];

export function found<T>(buckets: Buckets<T>, key: string): T | undefined {
  return own(buckets[placeOf(key)] ?? {}, key);
}

export function withEntry<T>(buckets: Buckets<T>, key: string, value: T): Buckets<T> {
  return changed(buckets, key, (bucket) => ({ ...bucket, [key]: value }));
}

export function withoutEntry<T>(buckets: Buckets<T>, key: string): Buckets<T> {
  return changed(buckets, key, (bucket) => {
    const { [key]: _, ...rest } = bucket;
    return rest;
  });
}

/** In no particular order. */
export function entriesIn<T>(buckets: Buckets<T>): readonly (readonly [string, T])[] {
  return buckets.flatMap((bucket) => Object.entries(bucket));
}

export function valuesIn<T>(buckets: Buckets<T>): readonly T[] {
  return buckets.flatMap((bucket) => Object.values(bucket));
}

type Bucket<T> = Readonly<Record<string, T>>;

function changed<T>(buckets: Buckets<T>, key: string, change: (bucket: Bucket<T>) => Bucket<T>): Buckets<T> {
  const all = buckets.length === COUNT ? [...buckets] : Array.from({ length: COUNT }, () => ({}));
  const place = placeOf(key);
  all[place] = change(all[place] ?? {});
  return all;
}

/** The same in every process and version. */
function placeOf(key: string): number {
  let sum = 0;
  for (let at = 0; at < key.length; at++) sum = (sum * 31 + key.charCodeAt(at)) | 0;
  return Math.abs(sum % COUNT);
}
