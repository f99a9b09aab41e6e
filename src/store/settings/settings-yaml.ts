/** The YAML reader for settings files. Loaded only when a file has changed, because it is too slow for every event. */
import { EVENT_ID, type Event, getScalarValue, load, parseEvents, YAMLException } from "js-yaml";
import { LOOSE_YAML } from "./loose-yaml.ts";
import type { ReadLayer } from "./settings.ts";

export { changeQueueFile, HURRIED } from "./queue-file.ts";

/** Nobody needs more in a settings file, and a few dozen can stand for more text than memory holds. */
const ALIASES_MAX = 10;

export const readYaml: ReadLayer = (text) => {
  if (isBlank(text)) return { layer: {} };
  try {
    const layer = load(text, { maxAliases: ALIASES_MAX }) ?? {};
    return { layer, lineOf: (key, entry) => lineOf(text, key, entry) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark?.line;
    if (line === undefined) return { problem: error.reason };
    return { problem: `${error.reason} (line ${line + 1})`, line: line + 1 };
  }
};

/** A file with only comments is empty and valid. */
function isBlank(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line));
}

export function readLoose(text: string): { readonly layer: unknown } | { readonly problem: string } {
  if (isBlank(text)) return { layer: {} };
  try {
    return { layer: load(text, LOOSE_YAML) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { problem: error.reason };
  }
}

/** The line of a key, counted from 1, or of an entry in its list. As close as the notation allows. */
export function lineOf(text: string, key: string, entry?: number): number | undefined {
  const events = parseEvents(text, {});
  // The document is the first event, its map the second.
  const keyIn = (map: number, name: string): number | undefined =>
    childrenOf(events, map).find((at, order) => order % 2 === 0 && isWord(text, events[at], name));
  const [group = "", leaf] = key.split(".");
  const found = keyIn(1, group) ?? keyIn(1, key);
  if (found === undefined) return undefined;
  const child = leaf === undefined ? undefined : keyIn(found + 1, leaf);
  const at = child ?? found;
  const item = entry === undefined ? undefined : childrenOf(events, at + 1)[entry];
  return lineAt(text, offsetOf(events[item ?? at]));
}

/** The events that begin a map's keys and values, in turn, or a list's entries. */
function childrenOf(events: readonly Event[], parent: number): readonly number[] {
  if (!isCollection(events[parent])) return [];
  const children: number[] = [];
  let depth = 0;
  for (let at = parent + 1; at < events.length && depth >= 0; at++) {
    if (depth === 0 && events[at]?.type !== EVENT_ID.POP) children.push(at);
    if (isCollection(events[at])) depth++;
    else if (events[at]?.type === EVENT_ID.POP) depth--;
  }
  return children;
}

function isCollection(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE;
}

function isWord(text: string, event: Event | undefined, word: string): boolean {
  return event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === word;
}

function offsetOf(event: Event | undefined): number {
  if (event === undefined) return 0;
  if ("start" in event) return event.start;
  if ("valueStart" in event) return event.valueStart;
  return "anchorStart" in event ? event.anchorStart : 0;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}
