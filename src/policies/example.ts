/** Events for examples, as short as they can be written. */
import type { Tool } from "../kernel/event.ts";
import type { Gathered, ProtectedFiles } from "../kernel/facts.ts";
import { protectedPlace, readProtectedList } from "../kernel/protected-list.ts";
import { defaultSettings, type Settings } from "../state/settings.ts";

/** Where the events of examples stand. */
export const PLACE = "/home/dev/project";

/** A mode as a prompt has just started it. */
export const exampleMode = { since: 0, by: "prompt", task: "finish the login page", count: 0, max: 20 } as const;

type ToolEventName = "PreToolUse" | "PostToolUse" | "PostToolUseFailure";
type ToolExample = { readonly name: ToolEventName; readonly tool: Tool; readonly call: string };

export function using(tool: Tool, name: ToolEventName = "PreToolUse"): ToolExample {
  return { name, tool, call: "call-1" };
}

export function bash(command: string): ToolExample {
  return using({ kind: "bash", name: "Bash", command, background: false });
}

export function write(path: string, content = ""): ToolExample {
  return using({ kind: "write", name: "Write", path, content });
}

export function edit(path: string, before = "a", after = "b"): ToolExample {
  return using({ kind: "edit", name: "Edit", path, edits: [{ old: before, new: after, all: false }] });
}

export function read(path: string): ToolExample {
  return using({ kind: "read", name: "Read", path });
}

/** A project whose list of protected files has these lines, and whose files are all there. */
export function protecting(...lines: readonly string[]): { readonly protectedFiles: readonly ProtectedFiles[] } {
  return {
    protectedFiles: readProtectedList(lines.join("\n")).map((line) => {
      const place = protectedPlace(PLACE, line.pattern);
      return { ...line, places: [place], paths: place.path === undefined ? [] : [place.path], isThere: true };
    }),
  };
}

/** A project that guards its tests, in which these files have these texts. */
export function guardingTests(
  tests: Settings["quality"]["tests"],
  files: Readonly<Record<string, string>> = {},
): Required<Pick<Gathered, "settings" | "standingText">> {
  const standingText = Object.fromEntries(Object.entries(files).map(([path, words]) => [path, { text: words }]));
  return { settings: { ...defaultSettings, quality: { tests } }, standingText };
}
