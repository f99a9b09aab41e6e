/** The host's settings files: as they are, and as a pending write or edit would leave them. */
import type { HookEvent, Tool } from "../kernel/event.ts";
import type { Arming, Places, SettingsFile } from "../kernel/facts.ts";
import { absolute, fromHome } from "../kernel/paths.ts";
import type { StartedProgram } from "../state/record.ts";
import { hostFileText } from "./host-file.ts";
import { trueName } from "./places.ts";

/** How the host would read a settings file; given by the host, since only it knows its own format. */
export type ArmingOf = (text: string | undefined, program?: StartedProgram) => Arming;

export function hostSettings(
  { hostSettings: paths, home }: Pick<Places, "hostSettings" | "home">,
  event: HookEvent,
  armingOf: ArmingOf,
  pointedTo?: StartedProgram,
): readonly SettingsFile[] {
  const armed = (text: string | undefined): Arming => armedFor(text, armingOf, pointedTo);
  const target = "tool" in event && "path" in event.tool ? pathOf(event.tool.path ?? "", event.cwd, home) : undefined;
  return paths.map((path) => {
    const text = hostFileText(path);
    const after = "tool" in event && target === path ? textAfter(event.tool, text) : text;
    const now = armed(text);
    return { path, now, after: after === text ? now : armed(after) };
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

function textAfter(tool: Tool, before: string | undefined): string | undefined {
  if (tool.kind === "write") return tool.content;
  if (tool.kind !== "edit") return before;
  return tool.edits.reduce<string>(
    (text, edit) => (edit.all ? text.split(edit.old).join(edit.new) : text.replace(edit.old, () => edit.new)),
    before ?? "",
  );
}
