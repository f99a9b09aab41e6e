/** Result of every reader of a foreign file: its value, or the first problem. */

import { own } from "../../lib/keyed.ts";
import { inline } from "../../lib/text.ts";

export type Reading<T> =
  | {
      readonly value: T;
      /** Values that were adjusted while reading; the person should know. */
      readonly notes: readonly string[];
    }
  | { readonly problem: string };

/** The position in the file, and what is expected there. */
class FormatError extends Error {}

export function refuse(place: string, must: string, found?: unknown): never {
  const told = found === undefined ? "" : `, but it is ${inline(JSON.stringify(found) ?? String(found), 40)}`;
  throw new FormatError(`${place} ${must}${told}.`);
}

/** Turns every format error into a problem. */
export function attempt<T>(read: (note: (words: string) => void) => T): Reading<T> {
  const notes: string[] = [];
  try {
    return { value: read((words) => notes.push(words)), notes };
  } catch (error) {
    if (error instanceof FormatError) return { problem: error.message };
    throw error;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** More than any of these files needs. */
const CHARS_MAX = 256 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

/** A map of fields from JSON text. */
export function jsonFields(text: string): Fields {
  if (text.length > CHARS_MAX) refuse("the file", `must have at most ${CHARS_MAX} letters, but has ${text.length}`);
  if (text.startsWith(BYTE_ORDER_MARK))
    refuse("the file", "begins with a byte order mark: save it as UTF-8 without one");
  return fieldsOf(parsed(text), "the file");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse("the file", `is not JSON: ${inline((error as Error).message.replace(/\.$/, ""), 160)}`);
  }
}

export function fieldsOf(value: unknown, place: string): Fields {
  if (Array.isArray(value)) refuse(place, "must be a map of fields, but it is a list");
  if (typeof value !== "object" || value === null) refuse(place, "must be a map of fields", value);
  return value as Fields;
}

export function countIn(fields: Fields, name: string, place: string, absent?: number): number {
  const value = own(fields, name) ?? absent;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  return refuse(`${place}${name}`, value === undefined ? "is missing" : "must be a whole number from 0", value);
}

export function flagIn(fields: Fields, name: string, place: string): boolean {
  const value = own(fields, name) ?? false;
  return typeof value === "boolean" ? value : refuse(`${place}${name}`, "must be true or false", value);
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A time in the future would delay everything counted from it. */
export function timeOf(value: unknown, place: string, now: number): number {
  const at = typeof value === "string" && TIME.test(value) ? Date.parse(inLocalTime(value)) : Number.NaN;
  if (Number.isNaN(at)) refuse(place, "must be a time such as 2026-03-01T08:00:00Z", value);
  if (at > now) refuse(place, "must not be in the future", value);
  return Math.max(0, at);
}

/** A time without a zone is local. `Date.parse` agrees, except for a day alone, which it takes as UTC. */
function inLocalTime(time: string): string {
  return time.length === "2026-03-01".length ? `${time}T00:00` : time;
}
