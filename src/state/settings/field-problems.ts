/** Describes errors in the fields of a map setting, naming the key. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function unknownKey(fields: Fields, prefix: string, known: readonly string[]): string | undefined {
  const strange = Object.keys(fields).find((key) => !known.includes(key));
  return strange === undefined
    ? undefined
    : `${prefix}${strange.slice(0, 40)} is no part of it (there are ${known.join(", ")})`;
}

export function oneOf(key: string, value: unknown, allowed: readonly string[], more = ""): string | undefined {
  if ((allowed as readonly unknown[]).includes(value)) return undefined;
  return `${key} must be ${allowed.map((each) => `"${each}"`).join(", ")}${more}, not ${shown(value)}`;
}

export function someOf(key: string, value: unknown, allowed: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  const holds = Array.isArray(value) && value.length > 0 && value.every((each) => allowed.includes(each));
  return holds
    ? undefined
    : `${key} must be a list of ${allowed.map((each) => `"${each}"`).join(", ")}, not ${shown(value)}`;
}

export function isWhole(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

/** A YAML alias can be circular, so a list or a map is shown only by its kind. */
function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "a map";
  return JSON.stringify(String(value).slice(0, 60));
}
