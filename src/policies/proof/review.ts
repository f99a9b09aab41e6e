/** What makes a subagent's word a verdict: its type, its form, and that it has looked. */
import type { Tool } from "../../kernel/event.ts";

/** True: passed. Undefined: no verdict, or more than one. */
export function verdictIn(message: string): boolean | undefined {
  const lines = message.split("\n").filter((line) => line.startsWith("VERDICT:"));
  const [, word] = /^VERDICT: (PASS|FAIL)\s*$/.exec(lines[0] ?? "") ?? [];
  return lines.length === 1 && word !== undefined ? word === "PASS" : undefined;
}

/** It read something, or ran more than a word that only speaks. */
export function isLook(tool: Tool): boolean {
  if (tool.kind === "read") return tool.path !== undefined;
  return (
    tool.kind === "bash" && !/^\s*(?:$|(?:true|false|:|echo|printf|pwd|date|sleep|exit)\b[^;&|\n]*$)/.test(tool.command)
  );
}
