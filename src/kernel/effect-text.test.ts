import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../hosts/index.ts";
import { effectText } from "./effect-text.ts";
import type { HookEvent } from "./event.ts";

const { parse } = hosts[HOST];

function attempt(tool: string, input: unknown, cwd = "/p", name = "PreToolUse"): HookEvent {
  const body = JSON.stringify({ hook_event_name: name, session_id: "s", cwd, tool_name: tool, tool_input: input });
  const parsed = parse({ body, env: {} });
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.event;
}
const textOf = (...given: Parameters<typeof attempt>) => effectText(attempt(...given));

describe("the text that identifies an effect", () => {
  it("ignores descriptive fields and the order of fields", () => {
    const plain = textOf("Bash", { command: "git push --force" });
    expect(textOf("Bash", { description: "Push", command: "git push --force", timeout: 5 })).toBe(plain);
    expect(textOf("mcp__a__b", { x: 1, y: { p: 1, q: 2 } })).toBe(textOf("mcp__a__b", { y: { q: 2, p: 1 }, x: 1 }));
  });

  it("differs by tool, directory, any character, and any field that could have an effect", () => {
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

  it("is equal exactly for equal inputs", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonical(a) === canonical(b);
        expect(textOf("mcp__a__b", { a }) === textOf("mcp__a__b", { a: b })).toBe(same);
        expect(textOf("mcp__a__b", { a })).toBe(textOf("mcp__a__b", { a: JSON.parse(JSON.stringify(a)) }));
      }),
    );
  });

  it("is undefined for events that are not attempts and for deeply nested input", () => {
    expect(textOf("Bash", { command: "ls" }, "/p", "PostToolUse")).toBeUndefined();
    const deep = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) as unknown;
    expect(textOf("mcp__a__b", { deep })).toBeUndefined();
  });
});

/** An independent comparison: JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
