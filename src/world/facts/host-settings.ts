/** The host's settings files, as they are and as a pending write or edit would leave them. */
import type { HookEvent } from "../../kernel/event.ts";
import type { Arming, Places, SettingsFile } from "../../kernel/facts.ts";
import { absolute, fromHome } from "../../lib/paths.ts";
import type { Tool } from "../../reading/tool.ts";
import type { StartedProgram } from "../../state/record.ts";
import { hostFileText } from "../machine/host-file.ts";
import { trueName } from "../machine/places.ts";

/** How the host reads a settings file; supplied by the host adapter, which knows the format. */
export type ArmingOf = (text: string | undefined, program?: StartedProgram) => Arming;

type Writing = Extract<Tool, { readonly kind: "write" | "edit" }>;

/** At a tool call, only the settings file that the call would write. */
export function hostSettings(
  places: Pick<Places, "hostSettings" | "home">,
  event: HookEvent,
  armingOf: ArmingOf,
  pointedTo?: StartedProgram,
): readonly SettingsFile[] {
  const armed = (text: string | undefined): Arming => armedFor(text, armingOf, pointedTo);
  if (event.name === "PreToolUse") {
    const { tool, cwd } = event;
    if (tool.kind !== "write" && tool.kind !== "edit") return [];
    const target = pathOf(tool.path, cwd, places.home);
    return places.hostSettings
      .filter((path) => path === target)
      .map((path) => {
        const text = hostFileText(path);
        const then = textAfter(tool, text);
        return { path, now: armed(text), after: then === undefined ? undefined : armed(then) };
      });
  }
  return places.hostSettings.map((path) => {
    const now = armed(hostFileText(path));
    return { path, now, after: now };
  });
}

/** A hook counts if it starts this program or the one a person pointed the hooks to. */
function armedFor(text: string | undefined, armingOf: ArmingOf, pointedTo: StartedProgram | undefined): Arming {
  const own = armingOf(text);
  if (pointedTo === undefined) return own;
  return { ...own, hooks: [...new Set([...own.hooks, ...armingOf(text, pointedTo).hooks])] };
}

/** Resolves the path as the tool does: `~` is the home, and relative paths start at the agent's directory. */
function pathOf(spelled: string, cwd: string, home: string): string {
  return trueName(absolute(fromHome(spelled, home), cwd) ?? spelled);
}

/**
 * The host normalizes line endings, and where the text of an edit is not found it tries similar text (curly quotes,
 * escapes). Only an exact match is predicted.
 */
function textAfter(tool: Writing, before: string | undefined): string | undefined {
  if (tool.kind === "write") return tool.content;
  let text = (before ?? "").replaceAll("\r\n", "\n");
  for (const edit of tool.edits) {
    const old = edit.old.replaceAll("\r\n", "\n");
    if (!text.includes(old)) return undefined;
    text = edit.all ? text.split(old).join(edit.new) : text.replace(old, () => edit.new);
  }
  return text;
}
