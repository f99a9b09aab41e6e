import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "../hosts/claude-code/parse.ts";
import { effectText } from "./effect-text.ts";
import type { HookEvent } from "./event.ts";

function attempt(tool: string, input: unknown, cwd = "/p", name = "PreToolUse"): HookEvent {
  const body = JSON.stringify({ hook_event_name: name, session_id: "s", cwd, tool_name: tool, tool_input: input });
  const parsed = parse({ body, env: {} });
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.event;
}
const textOf = (...given: Parameters<typeof attempt>) => effectText(attempt(...given));

describe("the text an effect is known by", () => {
  it("does not change with what only describes it, nor with the order of the fields", () => {
    const plain = textOf("Bash", { command: "git push --force" });
    expect(textOf("Bash", { description: "Push", command: "git push --force", timeout: 5 })).toBe(plain);
    expect(textOf("mcp__a__b", { x: 1, y: { p: 1, q: 2 } })).toBe(textOf("mcp__a__b", { y: { q: 2, p: 1 }, x: 1 }));
  });

  it("changes with the tool, the place, a letter, and any field that could have an effect", () => {
    const texts = [
      textOf("Bash", { command: "git push --force" }),
      textOf("Bash", { command: "git push --force " }),
      textOf("Bash", { command: "git push --force" }, "/q"),
      textOf("Bash", { command: "git push --force", dangerouslyDisableSandbox: true }),
      textOf("Bash", { command: "git push --force", run_in_background: true }),
      textOf("Monitor", { command: "git push --force" }),
      textOf("Write", { file_path: "/p/a", content: "1" }),
      textOf("Write", { file_path: "/p/a", content: "2" }),
      textOf("mcp__a__b", { description: "1" }),
      textOf("mcp__a__b", { description: "2" }),
      textOf("mcp__a__b", { x: [["a", 1]] }),
      textOf("mcp__a__b", { x: { a: 1 } }),
      textOf("mcp__a__b", { x: ["map", ["a", 1]] }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("is the same exactly for inputs that are the same", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonical(a) === canonical(b);
        expect(textOf("mcp__a__b", { a }) === textOf("mcp__a__b", { a: b })).toBe(same);
        expect(textOf("mcp__a__b", { a })).toBe(textOf("mcp__a__b", { a: JSON.parse(JSON.stringify(a)) }));
      }),
    );
  });

  it("is not there for what is no attempt, or nested beyond reason", () => {
    expect(textOf("Bash", { command: "ls" }, "/p", "PostToolUse")).toBeUndefined();
    const deep = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) as unknown;
    expect(textOf("mcp__a__b", { deep })).toBeUndefined();
  });
});

/** Another way to the same question: JSON with its keys in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
