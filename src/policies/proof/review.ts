/** A subagent's message is a review verdict if its type, its form and its own inspection qualify it. */
import type { Tool } from "../../reading/tool.ts";

/** True: passed. Undefined: no verdict, or more than one. */
export function verdictIn(message: string): boolean | undefined {
  const lines = message.split("\n").filter((line) => line.startsWith("VERDICT:"));
  const [, word] = /^VERDICT: (PASS|FAIL)\s*$/.exec(lines[0] ?? "") ?? [];
  return lines.length === 1 && word !== undefined ? word === "PASS" : undefined;
}

/** Reading a file or running a real command; `echo`, `true` and similar do not count. */
export function isLook(tool: Tool): boolean {
  if (tool.kind === "read") return tool.path !== undefined;
  return (
    tool.kind === "bash" && !/^\s*(?:$|(?:true|false|:|echo|printf|pwd|date|sleep|exit)\b[^;&|\n]*$)/.test(tool.command)
  );
}
