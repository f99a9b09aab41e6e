import { definePolicy } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { bash, guardingTests, PLACE, write } from "../example.ts";
import { guardedRuling, mayChangeTests, TEST_FACTS } from "./test-guard.ts";
import { removalRuling } from "./test-ruling.ts";

const TEST = `${PLACE}/src/a.test.ts`;
const TEXT = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n';

/** Protects existing tests only; a new test may contain anything. */
export const noTestRemoval = definePolicy({
  id: "no-test-removal",
  on: ["PreToolUse"],
  needs: TEST_FACTS,
  why: text(
    "A test that is gone fails no more: what it guarded is broken without anybody noticing.",
    "テストが消えれば失敗も消える。守っていたものが壊れても、誰も気づかない。",
  ),

  applies: ({ tool }, operation) => mayChangeTests(tool, operation),

  check: (given) => guardedRuling(given, removalRuling),

  examples: [
    { expect: "deny", when: write(TEST, "// later"), given: guardingTests("deny", { [TEST]: TEXT }) },
    { expect: "deny", when: bash("git rm src/a.test.ts"), given: guardingTests("deny", { [TEST]: TEXT }) },
    { expect: "ask", when: bash("> src/a.test.ts"), given: guardingTests("ask", { [TEST]: TEXT }) },
    {
      expect: "pass",
      when: bash("git mv src/a.test.ts src/b.test.ts"),
      given: guardingTests("deny", { [TEST]: TEXT }),
    },
    { expect: "pass", when: write(TEST, "// later"), given: guardingTests("deny") },
    { expect: "pass", when: bash("rm src/a.test.ts"), given: { standingText: { [TEST]: { text: TEXT } } } },
  ],
});
