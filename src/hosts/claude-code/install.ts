/** Adds our hooks to the text of a settings file, after all others. Other entries keep every byte. */
import { isDeepStrictEqual } from "node:util";
import type { EventName } from "../../kernel/event.ts";
import type { Note, Program, Removed, Rewritten, Slot, Wanted } from "../registration.ts";
import { envOf } from "./disarming.ts";
import { groupsOf, isOurs, readSettings, slots } from "./hooks.ts";
import {
  append,
  applied,
  doubledKey,
  type Edit,
  type Place,
  placeIn,
  property,
  replaced,
  treeOf,
} from "./json-text.ts";
import { type Settings, wouldBeDropped } from "./settings-shape.ts";
import { withoutHooks } from "./uninstall.ts";

export function withOurs(
  text: string | undefined,
  events: readonly EventName[],
  program: Program,
  { lane = "plain", noProxy, note }: Wanted = {},
): Rewritten {
  const read = readable(text);
  if ("problem" in read) return read;
  if (wouldBeDropped(read.settings)) return { problem: WOULD_BE_DROPPED };
  const wanted = slots(events, program, lane);
  const odd = events.find((event) => isListAt(read.settings, event) === false);
  if (odd !== undefined) return { problem: `its \`hooks.${odd}\` is not a list` };
  const earlier = oursIn(read.settings).length > 0 ? note : undefined;
  if (text !== undefined && isDone(read.settings, wanted, noProxy)) return { text, note: earlier ?? { empties: [] } };
  const cleared = read.text === undefined ? { text: undefined } : withoutHooks(read.text, earlier);
  if ("problem" in cleared) return cleared;
  const blank = earlier && "blank" in earlier ? earlier.blank : (text ?? null);
  return insert(read.bom, cleared.text?.trim() ? cleared.text : { blank: blank ?? null }, wanted, noProxy);
}

export function withoutOurs(text: string | undefined, note?: Note, shape: "any" | "sound" = "sound"): Removed {
  const read = readable(text, shape);
  if ("problem" in read) return read;
  const result = read.text === undefined ? { text } : withoutHooks(read.text, note);
  return "problem" in result || !result.text?.trim() ? result : { text: read.bom + result.text };
}

function insert(
  bom: string,
  base: string | { readonly blank: string | null },
  wanted: readonly Slot[],
  noProxy: string | undefined,
): Rewritten {
  const before = typeof base === "string" ? base : "{}\n";
  const tree = treeOf(before);
  if ("problem" in tree) return tree;
  const after = applied(before, insertions(before, tree.root, wanted, noProxy));
  if (!isDeepStrictEqual(readSettings(after), aimOf(readSettings(before) ?? {}, wanted, noProxy))) {
    return { problem: "our hooks cannot be put into it without changing something else" };
  }
  const note = noteOf(before, tree.root, noProxy);
  return { text: bom + after, note: typeof base === "string" ? note : { ...note, empties: [], blank: base.blank } };
}

type Readable = { readonly settings: Settings; readonly text: string | undefined; readonly bom: string };

function readable(
  given: string | undefined,
  shape: "any" | "sound" = "sound",
): Readable | { readonly problem: string } {
  if (given === undefined || given.trim() === "") return { settings: {}, text: undefined, bom: "" };
  const bom = given.charCodeAt(0) === 0xfeff ? "\ufeff" : "";
  const text = given.slice(bom.length);
  const tree = treeOf(text);
  if ("problem" in tree) return tree;
  const settings = readSettings(text);
  if (!settings) return { problem: "it is not valid JSON for settings: they are an object" };
  const problem = shape === "sound" ? oddity(settings, text, tree.root) : undefined;
  return problem === undefined ? { settings, text, bom } : { problem };
}

function isListAt({ hooks }: Settings, event: EventName): boolean | undefined {
  return hooks?.[event] === undefined ? undefined : Array.isArray(hooks[event]);
}

function oddity({ hooks }: Settings, text: string, root: Place): string | undefined {
  if (hooks !== undefined && (typeof hooks !== "object" || hooks === null || Array.isArray(hooks))) {
    return "its `hooks` is not an object";
  }
  const doubled = [root, property(root, "hooks"), property(root, "env")].map(doubledKey).find(Boolean);
  if (!doubled) return undefined;
  const key = JSON.stringify(doubled.children?.[0]?.value);
  return `${key} stands in it twice, and the client reads only the last one: ${placeIn(text, doubled.offset)}`;
}

const WOULD_BE_DROPPED =
  "a value in it has the wrong shape (an entry under PreToolUse or PermissionRequest, perhaps), and the client drops such a file whole";

/** True if exactly the wanted hooks are present, in any position. */
function isDone(settings: Settings, wanted: readonly Slot[], noProxy: string | undefined): boolean {
  const there = oursIn(settings);
  const isThere = (slot: Slot): boolean => there.some((found) => isDeepStrictEqual(found, slot));
  const isPast = noProxy === undefined || envOf(settings)["NO_PROXY"] === noProxy;
  return isPast && there.length === wanted.length && wanted.every(isThere);
}

function oursIn(settings: Settings): readonly unknown[] {
  return Object.keys(settings.hooks ?? {}).flatMap((event) =>
    groupsOf(settings, event).flatMap((group) => {
      const { matcher, hooks } = (group ?? {}) as { matcher?: unknown; hooks?: unknown };
      const ours = (Array.isArray(hooks) ? hooks : []).filter(isOurs);
      return ours.map((hook: unknown) => ({ event, ...(matcher !== undefined && { matcher }), hook }));
    }),
  );
}

/** The intended settings, computed independently of the text edits to verify them. */
function aimOf(settings: Settings, wanted: readonly Slot[], noProxy: string | undefined): Settings {
  const hooks = new Map<string, unknown>(Object.entries(settings.hooks ?? {}));
  for (const [event, groups] of byEvent(wanted)) hooks.set(event, [...groupsOf(settings, event), ...groups]);
  const env = noProxy === undefined ? {} : { env: { ...envOf(settings), NO_PROXY: noProxy } };
  return { ...settings, hooks: Object.fromEntries(hooks), ...env };
}

export function byEvent(wanted: readonly Slot[]): ReadonlyMap<string, readonly object[]> {
  const groups = new Map<string, object[]>();
  for (const { event, matcher, hook } of wanted) {
    groups.set(event, [...(groups.get(event) ?? []), { ...(matcher !== undefined && { matcher }), hooks: [hook] }]);
  }
  return groups;
}

/** Creates one edit per place that changes: the file, `hooks`, existing event lists, `env`. */
function insertions(text: string, root: Place, wanted: readonly Slot[], noProxy: string | undefined): readonly Edit[] {
  const [hooks, env] = [property(root, "hooks"), property(root, "env")];
  const groups = [...byEvent(wanted)];
  const newKeys = [
    ...(hooks ? [] : [["hooks", Object.fromEntries(groups)]]),
    ...(noProxy === undefined || env ? [] : [["env", { NO_PROXY: noProxy }]]),
  ];
  return [
    ...(newKeys.length > 0 ? [append(text, root, newKeys)] : []),
    ...(hooks ? inHooks(text, hooks, groups) : []),
    ...(noProxy !== undefined && env ? [inEnv(text, env, noProxy)] : []),
  ];
}

function inHooks(
  text: string,
  hooks: Place,
  groups: readonly (readonly [string, readonly object[]])[],
): readonly Edit[] {
  const fresh = groups.filter(([event]) => !property(hooks, event));
  const lists = groups.flatMap(([event, added]) => {
    const list = property(hooks, event);
    return list ? [append(text, list, added)] : [];
  });
  return fresh.length > 0 ? [...lists, append(text, hooks, fresh)] : lists;
}

function inEnv(text: string, env: Place, noProxy: string): Edit {
  const there = property(env, "NO_PROXY");
  return there ? replaced(there, JSON.stringify(noProxy)) : append(text, env, [["NO_PROXY", noProxy]]);
}

function noteOf(text: string, root: Place, noProxy: string | undefined): Note {
  const raw = ({ offset, length }: Place): string => text.slice(offset, offset + length);
  const [hooks, env] = [property(root, "hooks"), property(root, "env")];
  const events = (hooks?.children ?? []).map((child) => child.children ?? []);
  const places: readonly (readonly [readonly string[], Place | undefined])[] = [
    [[], root],
    [["hooks"], hooks],
    [["env"], env],
    ...events.map(([key, list]) => [["hooks", String(key?.value)], list] as const),
  ];
  const before = property(env, "NO_PROXY");
  return {
    empties: places.flatMap(([path, place]) => (place?.children?.length === 0 ? [{ path, raw: raw(place) }] : [])),
    ...(noProxy !== undefined && { noProxy: { before: before ? raw(before) : null, written: noProxy } }),
  };
}
