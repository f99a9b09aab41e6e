/** Objects with known fields, by all the names that people give them. */
import { nearestNames } from "../../lib/did-you-mean.ts";
import { inline } from "../../lib/text.ts";
import type { Problem } from "../problem.ts";
import type { Entry, MapNode, Node } from "../source.ts";
import { complain, either, type Kind, mapped, type Place, type Schema } from "./kinds.ts";

export interface Field<T> {
  readonly kind: Kind<T>;
  readonly about: string;
  /** Other names of the same field. */
  readonly aliases: readonly string[];
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

export type Read<F extends Fields> = { readonly [K in keyof F]?: F[K] extends Field<infer T> ? T : never };

export function field<T>(kind: Kind<T>, about: string, ...aliases: readonly string[]): Field<T> {
  return { kind, about, aliases };
}

/** Words of other formats, with what to write in their place. */
type Foreign = Readonly<Record<string, string>>;

export interface ObjectKind<F extends Fields> extends Kind<Read<F>> {
  readonly fields: F;
}

export function object<F extends Fields>(fields: F, foreign: Foreign = {}): ObjectKind<F> {
  const known = new Map(
    Object.entries(fields).flatMap(([key, { aliases }]) => [key, ...aliases].map((one) => [one, key])),
  );
  return {
    fields,
    get schema() {
      return schemaOf(fields);
    },
    read: (node: Node, place: Place) =>
      node.is === "map"
        ? (readFields(fields, fieldsIn(node, known, foreign, place), place) as Read<F>)
        : complain(node, place, "not-a-map"),
  };
}

/** One value alone stands for an object with that value in one of its fields: `retry: 3`. */
export function short<F extends Fields, T>(
  full: ObjectKind<F>,
  alone: Kind<T>,
  turn: (value: T) => Read<F>,
): Kind<Read<F>> {
  return either("map", full, mapped(alone, turn));
}

interface Found extends Entry {
  /** The name of the field in the table. */
  readonly field: string;
}

/** Reports names that are unknown, and fields that are given by two of their names. */
function fieldsIn(node: MapNode, known: ReadonlyMap<string, string>, foreign: Foreign, place: Place): readonly Found[] {
  const found = new Map<string, Found>();
  for (const entry of node.entries) {
    const field = known.get(entry.key);
    const earlier = field === undefined ? undefined : found.get(field);
    const at = { line: entry.line, path: pathOf(place, field ?? entry.key), word: inline(entry.key, 60) };
    if (field === undefined) place.report({ ...at, ...unknown(entry.key, [...known.keys()], foreign) });
    else if (earlier) place.report({ ...at, rule: "said-twice", more: earlier.key });
    else found.set(field, { ...entry, field });
  }
  return [...found.values()];
}

function unknown(name: string, known: readonly string[], foreign: Foreign): Pick<Problem, "rule" | "more"> {
  const hint = Object.hasOwn(foreign, name) ? foreign[name] : undefined;
  if (hint !== undefined) return { rule: "foreign-key", more: hint };
  const near = nearestNames(name, known);
  return near.length > 0 ? { rule: "misspelt-key", more: near.join(" / ") } : { rule: "unknown-key" };
}

function readFields(fields: Fields, found: readonly Found[], place: Place): Readonly<Record<string, unknown>> {
  const values = found.flatMap(({ field, line, value }) => {
    const path = pathOf(place, field);
    place.mark(path, line);
    const read = fields[field]?.kind.read(value, { ...place, path });
    return read === undefined ? [] : [[field, read] as const];
  });
  return Object.fromEntries(values);
}

function pathOf({ path }: Place, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function schemaOf(fields: Fields): Schema {
  const properties = Object.entries(fields).flatMap(([key, { kind, about, aliases }]) => [
    [key, described(kind.schema, about)] as const,
    ...aliases.map((name) => [name, described(kind.schema, `The same as \`${key}\`. ${about}`)] as const),
  ]);
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Nothing may also be written as `null`. */
function described(schema: Schema, description: string): Schema {
  if (Object.keys(schema).length === 0) return { description };
  return { description, anyOf: [schema, { type: "null" }] };
}
