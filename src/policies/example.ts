/** Events for examples, as short as they can be written. */
import type { Tool } from "../kernel/event.ts";
import type { ProtectedFiles } from "../kernel/facts.ts";
import { protectedPlace, readProtectedList } from "../kernel/protected-list.ts";

/** Where the events of examples stand. */
export const PLACE = "/home/dev/project";

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
