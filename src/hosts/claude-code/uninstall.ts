/** Takes our hooks out of a settings file's text, and gives back what stood there before them. */
import { isDeepStrictEqual } from "node:util";
import { envOf, excepts, LOOPBACK } from "./disarming.ts";
import { isOurs, readSettings } from "./hooks.ts";
import { applied, contentOf, type Edit, keyOf, type Place, property, remove, replaced, treeOf } from "./json-text.ts";
import type { Settings } from "./settings-shape.ts";

/** What a file looked like where we left no trace of it: without this, only the bytes of foreign entries come back. */
export interface Note {
  /** All there was before: the text of a blank file, or null when there was none. */
  readonly blank?: string | null;
  /** Places that were there and empty, as they were written. */
  readonly empties: readonly { readonly path: readonly string[]; readonly raw: string }[];
  /** The exception from proxies: as it was written before (null: not at all), and the value it got. */
  readonly noProxy?: { readonly before: string | null; readonly written: string };
}

/** Undefined: nothing is left, and the file goes with us. */
export type Removed = { readonly text: string | undefined } | { readonly problem: string };

/** `text` is without a byte order mark. */
export function withoutHooks(text: string, note: Note = { empties: [] }): Removed {
  const tree = treeOf(text);
  if ("problem" in tree) return tree;
  const { edits, isGone } = emptied(tree.root, [], note, (child) => {
    const value = child.children?.[1];
    if (keyOf(child) === "hooks" && value) return inHooks(value, note);
    return keyOf(child) === "env" && value ? inEnv(value, note) : UNTOUCHED;
  });
  if (isGone) return { text: note.blank ?? undefined };
  const after = applied(text, edits);
  const isSafe = isDeepStrictEqual(foreign(readSettings(text)), foreign(readSettings(after)));
  return isSafe ? { text: after } : { problem: "our hooks cannot be taken out of it without changing something else" };
}

interface Outcome {
  readonly edits: readonly Edit[];
  /** Nothing of it is left, so that it can go as a whole. */
  readonly isGone: boolean;
}

const UNTOUCHED: Outcome = { edits: [], isGone: false };
const GONE: Outcome = { edits: [], isGone: true };

/** Goes through the entries of a place; one that has lost all of them goes too, unless it was empty before us. */
function emptied(place: Place, path: readonly string[], note: Note, look: (entry: Place) => Outcome): Outcome {
  const entries = (place.children ?? []).map((entry) => ({ entry, ...look(entry) }));
  const doomed = new Set(entries.filter(({ isGone }) => isGone).map(({ entry }) => entry));
  if (doomed.size > 0 && doomed.size === entries.length) {
    const before = note.empties.find((empty) => isDeepStrictEqual(empty.path, path));
    return before ? { edits: [replaced(place, before.raw)], isGone: false } : GONE;
  }
  return { edits: [...entries.flatMap(({ edits }) => edits), ...remove(place, doomed)], isGone: false };
}

/** A list in place of the object is no shape that the client reads, but somebody may want ours out of it. */
function inHooks(hooks: Place, note: Note): Outcome {
  if (hooks.type === "array") return emptied(hooks, ["hooks"], note, inGroup);
  return emptied(hooks, ["hooks"], note, (event) => {
    const groups = event.children?.[1];
    return groups?.type === "array" ? emptied(groups, ["hooks", keyOf(event) ?? ""], note, inGroup) : UNTOUCHED;
  });
}

function inGroup(group: Place): Outcome {
  const hooks = property(group, "hooks");
  if (hooks?.type !== "array") return UNTOUCHED;
  // A group that has lost its hooks goes as a whole: its matcher stands for nothing any more.
  return emptied(hooks, [], { empties: [] }, (hook) => (isOurs(contentOf(hook)) ? GONE : UNTOUCHED));
}

function inEnv(env: Place, { noProxy, empties }: Note): Outcome {
  if (!noProxy || env.type !== "object") return UNTOUCHED;
  return emptied(env, ["env"], { empties }, (entry) => {
    const value = entry.children?.[1];
    const now: unknown = value?.value;
    if (keyOf(entry) !== "NO_PROXY" || !value || typeof now !== "string") return UNTOUCHED;
    if (now === noProxy.written) {
      return noProxy.before === null ? GONE : { edits: [replaced(value, noProxy.before)], isGone: false };
    }
    const isOurWord = noProxy.before === null || !excepts(String(JSON.parse(noProxy.before)));
    // Somebody has changed it since: only our own word goes.
    const rest = isOurWord ? now.split(",").filter((host) => host.trim() !== LOOPBACK) : now.split(",");
    return { edits: [replaced(value, JSON.stringify(rest.join(",")))], isGone: false };
  });
}

/** Everything in the settings that is somebody else's. Places that only we needed do not count. */
function foreign(settings: Settings = {}): Settings {
  const { hooks, env: _, ...rest } = settings;
  const { NO_PROXY: __, ...env } = envOf(settings);
  const others = Array.isArray(hooks) ? foreignGroups(hooks) : foreignHooks(settings);
  return {
    ...rest,
    ...(Object.keys(others).length > 0 && { hooks: others as Record<string, unknown> }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function foreignHooks({ hooks }: Settings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(hooks ?? {}).flatMap(([event, groups]) => {
      const others = Array.isArray(groups) ? foreignGroups(groups) : groups;
      return Array.isArray(others) && others.length === 0 ? [] : [[event, others]];
    }),
  );
}

function foreignGroups(groups: readonly unknown[]): readonly unknown[] {
  return groups.flatMap((group) => {
    const { hooks } = (group ?? {}) as { hooks?: unknown };
    if (!Array.isArray(hooks) || !hooks.some(isOurs)) return [group];
    const others = hooks.filter((hook) => !isOurs(hook));
    return others.length === 0 ? [] : [{ ...(group as object), hooks: others }];
  });
}
