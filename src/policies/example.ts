/** Short builders for example events. */

import type { Gathered, ProtectedFiles } from "../kernel/facts.ts";
import { protectedPlace, readProtectedList } from "../reading/operation/protected-list.ts";
import type { Tool } from "../reading/tool.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";

/** The directory of example events. */
export const PLACE = "/home/dev/project";

/** A mode just started by a prompt. */
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

/** A project whose list of protected files has these lines, and whose files all exist. */
export function protecting(...lines: readonly string[]): { readonly protectedFiles: readonly ProtectedFiles[] } {
  return {
    protectedFiles: readProtectedList(lines.join("\n")).map((line) => {
      const place = protectedPlace(PLACE, line.pattern);
      return { ...line, places: [place], paths: place.path === undefined ? [] : [place.path], isThere: true };
    }),
  };
}

/** A project that protects its tests, with these files and their texts. */
export function guardingTests(
  tests: Settings["quality"]["tests"],
  files: Readonly<Record<string, string>> = {},
): Required<Pick<Gathered, "settings" | "standingText">> {
  const standingText = Object.fromEntries(Object.entries(files).map(([path, words]) => [path, { text: words }]));
  return { settings: { ...defaultSettings, quality: { tests } }, standingText };
}
