/** Values of a parsed JSON or YAML document, whatever shape it has. */

export type Json = Readonly<Record<string, unknown>>;

/** The answers to the six questions, wherever the document keeps them. */
export function answersIn(
  context: unknown,
): Partial<Record<"what" | "why" | "who" | "when" | "where" | "how", string>> {
  const outer = record(context);
  const places = [
    outer,
    record(outer["context"]),
    record(outer["5w1h"]),
    record(record(record(outer["analysis_result"])["data"])["5w1h"]),
  ];
  const keys = ["what", "why", "who", "when", "where", "how"] as const;
  return pick(Object.fromEntries(keys.map((key) => [key, places.flatMap((place) => words(place[key]) ?? [])[0]])));
}

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function words(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

export function pick<T extends object>(given: T): Defined<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>;
}
