/** Reads our hooks of any version from a settings file, and changes the program or endpoint they use. */

import { keyAmong } from "../../state/person-key.ts";
import { KEY_HEADER } from "../marks.ts";
import {
  type Door,
  type Edited,
  ON_PATH,
  type OwnHook,
  type Program,
  type RegisteredHook,
  type Registration,
} from "../registration.ts";
import { groupsOf, isOurs, readSettings } from "./hooks.ts";
import { applied, contentOf, type Edit, type Place, property, replaced, treeOf } from "./json-text.ts";
import type { Settings } from "./settings-shape.ts";

type Fields = RegisteredHook["hook"];

/** Undefined when the file has no hook of ours or cannot be read. */
export function registrationIn(text: string | undefined): Registration | undefined {
  const settings = text === undefined ? undefined : readSettings(text);
  const hooks = settings
    ? hooksIn(settings)
        .filter(({ hook }) => isOurs(hook))
        .map(ownHook)
    : [];
  if (hooks.length === 0) return undefined;
  const programs = hooks.flatMap(({ program }) => program ?? []);
  const door = hooks.find((hook) => hook.door)?.door;
  const keys = new Set(hooks.flatMap(({ key }) => key ?? []));
  // Hooks that name different keys, or of which only some name one, are not as anybody wrote them.
  const key =
    keys.size > 1 || (keys.size === 1 && hooks.some((hook) => hook.key === undefined)) ? "several" : [...keys][0];
  return {
    hooks,
    lane: hooks.some(({ hook }) => hook["type"] === "http") ? "fast" : "plain",
    programs: programs.filter(
      ({ node, bundle }, at) => programs.findIndex((one) => one.node === node && one.bundle === bundle) === at,
    ),
    ...(door && { door }),
    ...(key !== undefined && { key }),
  };
}

export function foreignHooksIn(text: string | undefined): readonly RegisteredHook[] {
  const settings = text === undefined ? undefined : readSettings(text);
  return settings ? hooksIn(settings).filter(({ hook }) => !isOurs(hook)) : [];
}

function hooksIn(settings: Settings): readonly RegisteredHook[] {
  return Object.keys(settings.hooks ?? {}).flatMap((event) =>
    groupsOf(settings, event).flatMap((group) => {
      const { matcher, hooks } = (group ?? {}) as { matcher?: unknown; hooks?: unknown };
      return (Array.isArray(hooks) ? hooks : [])
        .filter((hook): hook is Fields => typeof hook === "object" && hook !== null)
        .map((hook) => ({ event, ...(typeof matcher === "string" && { matcher }), hook }));
    }),
  );
}

function ownHook(registered: RegisteredHook): OwnHook {
  const { hook } = registered;
  const words = wordsOf(hook);
  const at = bundleAt(words);
  const door = doorOf(hook);
  const isPlaced = at >= 0 && words[at] !== ON_PATH.bundle;
  const key = at >= 0 ? keyAmong(words.slice(at)) : keyHeader(hook);
  const program = isPlaced ? { node: words[nodeAt(words, at)] ?? "", bundle: words[at] ?? "", key } : undefined;
  return { ...registered, ...(program && { program }), ...(door && { door }), ...(key !== undefined && { key }) };
}

function keyHeader({ headers }: Fields): string | undefined {
  const named = (headers as Fields | undefined)?.[KEY_HEADER];
  return typeof named === "string" ? named : undefined;
}

function wordsOf({ command, args }: Fields): readonly string[] {
  return [command, ...(Array.isArray(args) ? args : [])].map((word) => (typeof word === "string" ? word : ""));
}

/** The program is the word before `hook`; Node is the nearest word before it that is not an option. */
function bundleAt(words: readonly string[]): number {
  return words.findIndex((word, at) => /(^|\/)sekisho(\.cjs)?$/.test(word) && words[at + 1] === "hook");
}

function nodeAt(words: readonly string[], bundle: number): number {
  return words.findLastIndex((word, at) => at < bundle && !word.startsWith("-"));
}

function doorOf({ url, headers }: Fields): Door | undefined {
  const port = /^http:\/\/127\.0\.0\.1:(\d+)\//.exec(typeof url === "string" ? url : "")?.[1];
  const given = (headers as Fields | undefined)?.["Authorization"];
  if (port === undefined) return undefined;
  return { port: Number(port), token: typeof given === "string" ? given.replace(/^Bearer /, "") : "" };
}

/** The same hooks in the same places, with another program. Other entries stay unchanged. */
export function pointedTo(text: string, { node, bundle }: Omit<Program, "door">): Edited {
  return withEach(text, (hook) => {
    const words = [...wordsOf(hook)];
    const at = bundleAt(words);
    // A shared file finds the program on each user's PATH, so no machine path is written there.
    if (at < 1 || words[at] === ON_PATH.bundle) return hook;
    words[at] = bundle;
    words[nodeAt(words, at)] = node;
    const [command, ...args] = words;
    return { ...hook, command, args };
  });
}

/** The same hooks with another endpoint. */
export function movedTo(text: string, { port, token }: Door): Edited {
  return withEach(text, (hook) => {
    if (typeof hook["url"] !== "string") return hook;
    const url = hook["url"].replace(/^http:\/\/127\.0\.0\.1:\d+/, `http://127.0.0.1:${port}`);
    return { ...hook, url, headers: { ...(hook["headers"] as Fields), Authorization: `Bearer ${token}` } };
  });
}

/** Rewrites only the values that differ; every other byte stays. */
function withEach(text: string, change: (hook: Fields) => Fields): Edited {
  const tree = treeOf(text);
  if ("problem" in tree) return tree;
  const edits = hookPlaces(tree.root)
    .filter((place) => isOurs(contentOf(place)))
    .flatMap((place) => differences(place, change(contentOf(place) as Fields)));
  return { text: applied(text, edits) };
}

function hookPlaces(root: Place): readonly Place[] {
  const events = property(root, "hooks")?.children ?? [];
  const groups = events.flatMap((event) => event.children?.[1]?.children ?? []);
  return groups.flatMap((group) => property(group, "hooks")?.children ?? []);
}

/** Both have the same shape, because only values change. */
function differences(place: Place, wanted: unknown): readonly Edit[] {
  if (typeof wanted === "string") return place.value === wanted ? [] : [replaced(place, JSON.stringify(wanted))];
  if (typeof wanted !== "object" || wanted === null) return [];
  if (Array.isArray(wanted)) return (place.children ?? []).flatMap((child, at) => differences(child, wanted[at]));
  return Object.entries(wanted).flatMap(([key, value]) => {
    const child = property(place, key);
    return child ? differences(child, value) : [];
  });
}
