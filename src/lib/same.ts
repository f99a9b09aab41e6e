/** Whether two values would be written as the same JSON, whatever the order of their keys. */
export function isSame(one: unknown, two: unknown): boolean {
  if (one === two) return true;
  if (typeof one !== "object" || typeof two !== "object" || !one || !two) return false;
  if (Array.isArray(one) || Array.isArray(two)) {
    return (
      Array.isArray(one) && Array.isArray(two) && one.length === two.length && one.every((v, n) => isSame(v, two[n]))
    );
  }
  const [first, second] = [one as Values, two as Values];
  for (const key in first) if (!isSame(first[key], ownValue(second, key))) return false;
  for (const key in second) if (second[key] !== undefined && ownValue(first, key) === undefined) return false;
  return true;
}

type Values = Readonly<Record<string, unknown>>;

function ownValue(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
