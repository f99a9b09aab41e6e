/** Puts our hooks into a settings file's text and takes them out again. Foreign entries stay as they are. */
import type { EventName } from "../../kernel/event.ts";
import { isOurs, type Lane, type Program, readSettings, type Settings, slots } from "./hooks.ts";
import { wouldBeDropped } from "./settings-shape.ts";

export type Rewritten = { readonly text: string } | { readonly problem: string };

type Group = { readonly matcher?: unknown; readonly hooks: readonly unknown[] };
type Hooks = Record<string, unknown>;

export function withOurs(
  text: string | undefined,
  events: readonly EventName[],
  program: Program,
  lane: Lane = "plain",
): Rewritten {
  const read = readable(text);
  if ("problem" in read) return read;
  if (wouldBeDropped(read.settings)) return { problem: WOULD_BE_DROPPED };
  const hooks = foreignHooks(read.settings);
  for (const { event, matcher, hook } of slots(events, program, lane)) {
    const groups = Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : [];
    hooks[event] = [...groups, { ...(matcher !== undefined && { matcher }), hooks: [hook] }];
  }
  return rewritten({ ...read.settings, hooks }, text);
}

export function withoutOurs(text: string | undefined): Rewritten {
  const read = readable(text);
  if ("problem" in read) return read;
  const hooks = foreignHooks(read.settings);
  const { hooks: _, ...rest } = read.settings;
  // In their old place: the file people know keeps its order.
  return rewritten(Object.keys(hooks).length === 0 ? rest : { ...read.settings, hooks }, text);
}

function readable(text: string | undefined): { readonly settings: Settings } | { readonly problem: string } {
  if (text === undefined || text.trim() === "") return { settings: {} };
  const settings = readSettings(text);
  if (!settings) return { problem: `it is not valid JSON${placeOfError(text)}` };
  const { hooks } = settings;
  if (hooks !== undefined && (typeof hooks !== "object" || hooks === null || Array.isArray(hooks))) {
    return { problem: "its `hooks` is not an object" };
  }
  return { settings };
}

const WOULD_BE_DROPPED =
  "a value in it has the wrong shape (an entry under PreToolUse or PermissionRequest, perhaps), and the client drops such a file whole";

/** Everything but ours; groups and events that held nothing else go with them. */
function foreignHooks(settings: Settings): Hooks {
  const kept: Hooks = {};
  for (const [event, groups] of Object.entries(settings.hooks ?? {})) {
    if (!Array.isArray(groups)) {
      kept[event] = groups;
      continue;
    }
    const foreign = groups.flatMap((group: unknown) => withoutOurHooks(group));
    if (foreign.length > 0 || groups.length === 0) kept[event] = foreign;
  }
  return kept;
}

function withoutOurHooks(group: unknown): readonly unknown[] {
  const { hooks } = (group ?? {}) as Partial<Group>;
  if (!Array.isArray(hooks) || !hooks.some(isOurs)) return [group];
  const foreign = hooks.filter((hook) => !isOurs(hook));
  return foreign.length === 0 ? [] : [{ ...(group as Group), hooks: foreign }];
}

export function rewritten(settings: object, before: string | undefined): Rewritten {
  const indent = /^[ \t]+(?=")/m.exec(before ?? "")?.[0] ?? "  ";
  return { text: `${JSON.stringify(settings, null, indent)}\n` };
}

/** The parser's own words differ between versions of Node; the place is what helps. */
function placeOfError(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    if (at === undefined) return "";
    const before = text.slice(0, Number(at)).split("\n");
    return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  }
}
