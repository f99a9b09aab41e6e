/** Removes our hooks from the text of a settings file and restores the original. */
import { isDeepStrictEqual } from "node:util";
import type { Note, Removed } from "../registration.ts";
import { envOf, excepts, LOOPBACK } from "./disarming.ts";
import { isOurs, readSettings } from "./hooks.ts";
import { applied, contentOf, type Edit, keyOf, type Place, property, remove, replaced, treeOf } from "./json-text.ts";
import type { Settings } from "./settings-shape.ts";

/** `text` has no byte order mark. */
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

interface Removal {
  readonly edits: readonly Edit[];
  /** Nothing is left inside, so the whole entry can be removed. */
  readonly isGone: boolean;
}

const UNTOUCHED: Removal = { edits: [], isGone: false };
const GONE: Removal = { edits: [], isGone: true };

/** Processes the entries of an object or list; if all are removed it is removed too, unless it was empty originally. */
function emptied(place: Place, path: readonly string[], note: Note, look: (entry: Place) => Removal): Removal {
  const entries = (place.children ?? []).map((entry) => ({ entry, ...look(entry) }));
  const doomed = new Set(entries.filter(({ isGone }) => isGone).map(({ entry }) => entry));
  if (doomed.size > 0 && doomed.size === entries.length) {
    const before = note.empties.find((empty) => isDeepStrictEqual(empty.path, path));
    return before ? { edits: [replaced(place, before.raw)], isGone: false } : GONE;
  }
  return { edits: [...entries.flatMap(({ edits }) => edits), ...remove(place, doomed)], isGone: false };
}

/** The host does not read a list here, but our hooks should still be removable from it. */
function inHooks(hooks: Place, note: Note): Removal {
  if (hooks.type === "array") return emptied(hooks, ["hooks"], note, inGroup);
  return emptied(hooks, ["hooks"], note, (event) => {
    const groups = event.children?.[1];
    return groups?.type === "array" ? emptied(groups, ["hooks", keyOf(event) ?? ""], note, inGroup) : UNTOUCHED;
  });
}

function inGroup(group: Place): Removal {
  const hooks = property(group, "hooks");
  if (hooks?.type !== "array") return UNTOUCHED;
  // A group without hooks is removed as a whole, because its matcher has no meaning anymore.
  return emptied(hooks, [], { empties: [] }, (hook) => (isOurs(contentOf(hook)) ? GONE : UNTOUCHED));
}

function inEnv(env: Place, { noProxy, empties }: Note): Removal {
  if (!noProxy || env.type !== "object") return UNTOUCHED;
  return emptied(env, ["env"], { empties }, (entry) => {
    const value = entry.children?.[1];
    const now: unknown = value?.value;
    if (keyOf(entry) !== "NO_PROXY" || !value || typeof now !== "string") return UNTOUCHED;
    if (now === noProxy.written) {
      return noProxy.before === null ? GONE : { edits: [replaced(value, noProxy.before)], isGone: false };
    }
    const isOurWord = noProxy.before === null || !excepts(String(JSON.parse(noProxy.before)));
    // The value was changed since, so only our entry is removed.
    const rest = isOurWord ? now.split(",").filter((host) => host.trim() !== LOOPBACK) : now.split(",");
    return { edits: [replaced(value, JSON.stringify(rest.join(",")))], isGone: false };
  });
}

/** All settings that are not ours. Containers that only we needed do not count. */
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
