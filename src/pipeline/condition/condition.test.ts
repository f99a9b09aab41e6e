import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holds, type Values } from "./evaluate.ts";
import { parseCondition } from "./parse.ts";

const VALUES: Readonly<Record<string, string | number | boolean>> = {
  tier: "M",
  files: 7,
  "inputs.ui": true,
  "steps.plan.status": "passed",
};
const values: Values = (path) => VALUES[path.join(".")];

function told(source: string): boolean | string {
  const parsed = parseCondition(source);
  return "expression" in parsed ? holds(parsed.expression, values) : `unread at ${parsed.unreadAt}`;
}

describe("PL-4 a condition", () => {
  it.each([
    ["tier == 'M'", true],
    ['tier != "M"', false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of another runner.
    ["${{ files >= 7 }}", true],
    ["files < 7 || inputs.ui", true],
    ["!(files < 7) && not inputs.ui", false],
    ["tier == 'S' and files > 1 or steps.plan.status == 'passed'", true],
    ["tier == 'S' and (files > 1 or steps.plan.status == 'passed')", false],
    ["inputs.gone == 'x'", false],
    ["inputs.gone != 'x'", true],
    ["tier < 3", false],
    ["true", true],
    ["tier == constructor", false],
    ["tier = 'M'", "unread at = 'M'"],
    ["tier == ", "unread at tier ==" as const],
    ["(tier", "unread at (tier"],
    ["process.exit(1)", "unread at ("],
    ["tier == 'M' files", "unread at files"],
    ["a".repeat(501), `unread at ${"a".repeat(40)}`],
    ["!".repeat(300), "unread at !"],
  ])("%s", (source, result) => {
    const found = told(source);
    expect(typeof result === "string" ? String(found).trim() : found).toBe(result);
  });

  it("whatever stands there is read or refused", () => {
    const words = fc.constantFrom(
      "tier",
      "files",
      "==",
      "<",
      "&&",
      "or",
      "not",
      "(",
      ")",
      "'a'",
      "3",
      " ",
      "$",
      "'",
      "__proto__",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        expect(["boolean", "string"]).toContain(typeof told(parts.join(" ")));
      }),
    );
  });
});
