import { definePolicy } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { bash, edit, guardingTests, PLACE, write } from "../example.ts";
import { guardedRuling, mayChangeTests, TEST_FACTS } from "./test-guard.ts";
import { weakeningRuling } from "./test-ruling.ts";

const TEST = `${PLACE}/src/a.test.ts`;
const TEXT = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n';
const LINE = "expect(add(1, 2)).toBe(3);";

/** Compares the text of the test before and after, for any tool. Other code is ignored. */
export const noAssertionRemoval = definePolicy({
  id: "no-assertion-removal",
  on: ["PreToolUse"],
  needs: TEST_FACTS,
  // The same file may be written later with other content.
  ofTheMoment: true,
  why: text(
    "A test that asserts less passes more easily: the fault stays, and only the alarm is gone.",
    "確かめることを減らせばテストは通る。誤りは残り、警報だけが消える。",
  ),

  applies: ({ tool }, operation) => mayChangeTests(tool, operation),

  check: (given) => guardedRuling(given, weakeningRuling),

  examples: [
    { expect: "deny", when: edit(TEST, LINE, ""), given: guardingTests("deny", { [TEST]: TEXT }) },
    {
      expect: "deny",
      when: edit(TEST, LINE, "expect(true).toBe(true);"),
      given: guardingTests("deny", { [TEST]: TEXT }),
    },
    { expect: "ask", when: edit(TEST, 'it("adds"', 'it.skip("adds"'), given: guardingTests("ask", { [TEST]: TEXT }) },
    { expect: "deny", when: bash("sed -i '/toBe(3)/d' src/a.test.ts"), given: guardingTests("deny", { [TEST]: TEXT }) },
    { expect: "pass", when: edit(TEST, "toBe(3)", "toEqual(3)"), given: guardingTests("deny", { [TEST]: TEXT }) },
    { expect: "pass", when: write(TEST, 'it.todo("adds");'), given: guardingTests("deny") },
    { expect: "pass", when: edit(`${PLACE}/src/a.ts`, LINE, ""), given: guardingTests("deny") },
  ],
});
