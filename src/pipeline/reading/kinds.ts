/**
 * The kinds of values in a pipeline file. Each reads a node and describes itself as JSON Schema, so that an editor and
 * `pipeline validate` never disagree.
 */
import { inline } from "../../lib/text.ts";
import type { Report } from "../problem.ts";
import type { ProblemRule } from "../rules/rules.ts";
import { isNull, type Node, textOf } from "../source.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface Place {
  readonly path: string;
  readonly report: Report;
  /** Notes the line of a path. */
  readonly mark: (path: string, line: number) => void;
}

export interface Kind<T> {
  readonly schema: Schema;
  /** Undefined: nothing usable stands there, and it was reported unless it is empty. */
  read(node: Node, place: Place): T | undefined;
}

export function complain(node: Node, place: Place, rule: ProblemRule, more?: string): undefined {
  const word = inline(textOf(node), 60);
  place.report({ rule, line: node.line, path: place.path, word, ...(more !== undefined && { more }) });
  return undefined;
}

/** Where `null` or nothing stands, the value counts as left out. */
function kind<T>(schema: Schema, read: (node: Node, place: Place) => T | undefined): Kind<T> {
  return { schema, read: (node, place) => (isNull(node) ? undefined : read(node, place)) };
}

/** Whatever stands there, as words for people. */
export const prose = kind({}, (node) => textOf(node));

/** One line or several; a number or a truth value stays as it is written. */
export const words = kind({ type: ["string", "number", "boolean"] }, (node, place) =>
  node.is === "value" ? node.text : complain(node, place, "not-words"),
);

export const flag = kind({ type: "boolean" }, (node, place) =>
  node.is === "value" && typeof node.value === "boolean" ? node.value : complain(node, place, "not-a-flag"),
);

const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_-]{0,63}$/u;

/** It becomes part of paths and git refs. */
export const id = kind({ type: "string", pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]{0,63}$" }, (node, place) =>
  node.is === "value" && isId(node.text) ? node.text : complain(node, place, "bad-id"),
);

export function isId(text: string): boolean {
  return ID.test(text);
}

export const whole = (least: number, rule: ProblemRule = "not-a-count"): Kind<number> =>
  kind({ type: "integer", minimum: least }, (node, place) =>
    node.is === "value" && typeof node.value === "number" && Number.isSafeInteger(node.value) && node.value >= least
      ? node.value
      : complain(node, place, rule, String(least)),
  );

/** A budget of nothing would end every run before it begins. */
export const amount = kind({ type: "number", exclusiveMinimum: 0 }, (node, place) =>
  node.is === "value" && typeof node.value === "number" && Number.isFinite(node.value) && node.value > 0
    ? node.value
    : complain(node, place, "no-budget"),
);

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `90s`, `15m`, `1h 30m`. */
export const seconds = kind(
  {
    anyOf: [
      { type: "number", exclusiveMinimum: 0 },
      { type: "string", pattern: "^\\s*(\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)\\s*)+$" },
    ],
  },
  (node, place) => (node.is === "value" ? durationIn(node.text) : undefined) ?? complain(node, place, "not-a-time"),
);

function durationIn(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)?\s*/g)];
  const isAll = parts.map(([part]) => part).join("") === text.trim() && text.trim() !== "";
  const isAlone = parts.length === 1;
  if (!isAll || (!isAlone && parts.some(([, , unit]) => unit === undefined))) return undefined;
  const total = parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * (UNITS[unit] ?? 1), 0);
  return total > 0 ? total : undefined;
}

/** The same with a number that counts other units: `timeout_minutes: 5`. */
export const times = (factor: number): Kind<number> =>
  kind({ type: "number", minimum: 0 }, (node, place) =>
    node.is === "value" && typeof node.value === "number" && node.value >= 0
      ? node.value * factor
      : complain(node, place, "not-a-time"),
  );

export function oneOf<const T extends string>(options: readonly T[], rule: ProblemRule = "not-one-of"): Kind<T> {
  return kind({ enum: options }, (node, place) => {
    const found = node.is === "value" ? options.find((one) => one === node.text.toLowerCase()) : undefined;
    return found ?? complain(node, place, rule, options.join(", "));
  });
}

/** One value stands for a list of it. */
export function list<T>(of: Kind<T>): Kind<readonly T[]> {
  const schema = { anyOf: [of.schema, { type: "array", items: of.schema }] };
  return kind(schema, (node, place) => {
    const items = node.is === "list" ? node.items : [node];
    return items.flatMap((item, at) => {
      const path = `${place.path}.${at}`;
      place.mark(path, item.line);
      const value = of.read(item, { ...place, path });
      return value === undefined ? [] : [value];
    });
  });
}

/** The first kind for values of its form, the second for all others. */
export function either<A, B>(is: Node["is"], first: Kind<A>, other: Kind<B>): Kind<A | B> {
  return kind({ anyOf: [first.schema, other.schema] }, (node, place): A | B | undefined =>
    node.is === is ? first.read(node, place) : other.read(node, place),
  );
}

export function mapped<A, B>(of: Kind<A>, turn: (value: A, place: Place) => B): Kind<B> {
  return kind(of.schema, (node, place) => {
    const value = of.read(node, place);
    return value === undefined ? undefined : turn(value, place);
  });
}

/** `a: …, b: …`, each with its name; a list instead is taken by `ofList`. */
export function keyed<T>(of: Kind<T>, rule: ProblemRule = "not-a-map"): Kind<readonly (readonly [string, T])[]> {
  return kind({ type: "object", additionalProperties: of.schema }, (node, place) => {
    if (node.is !== "map") return complain(node, place, rule);
    return node.entries.flatMap(({ key, line, value }) => {
      const path = `${place.path}.${key}`;
      place.mark(path, line);
      const read = of.read(value, { ...place, path });
      return read === undefined ? [] : [[key, read] as const];
    });
  });
}
