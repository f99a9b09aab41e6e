/** The host's settings files: as they are, and as a pending write or edit would leave them. */
import type { HookEvent, Tool } from "../kernel/event.ts";
import type { Arming, Places, SettingsFile } from "../kernel/facts.ts";
import { absolute, fromHome } from "../kernel/paths.ts";
import type { StartedProgram } from "../state/record.ts";
import { hostFileText } from "./host-file.ts";
import { trueName } from "./places.ts";

/** How the host would read a settings file; given by the host, since only it knows its own format. */
export type ArmingOf = (text: string | undefined, program?: StartedProgram) => Arming;

type Writing = Extract<Tool, { readonly kind: "write" | "edit" }>;

/** At a tool use, only what it shows: the file it would write. All others are as they are, and others look after them. */
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

/** A hook is whole if it starts this program, or the one that a person has pointed the hooks to. */
function armedFor(text: string | undefined, armingOf: ArmingOf, pointedTo: StartedProgram | undefined): Arming {
  const own = armingOf(text);
  if (pointedTo === undefined) return own;
  return { ...own, hooks: [...new Set([...own.hooks, ...armingOf(text, pointedTo).hooks])] };
}

/** As the tool itself would read it: `~` is the home, and what is relative belongs to the agent's directory. */
function pathOf(spelled: string, cwd: string, home: string): string {
  return trueName(absolute(fromHome(spelled, home), cwd) ?? spelled);
}

/**
 * The client reads a file with the line ends of one system, and where the words of an edit are not found it tries others
 * that look like them (curly quotes, escapes). Only what is found letter for letter is told.
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
