import { definePolicy } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { bash, edit, guardingTests, PLACE, write } from "../example.ts";
import { guardedRuling, mayChangeTests, TEST_FACTS } from "./test-guard.ts";
import { generatedRuling } from "./test-ruling.ts";

/** The next build would discard a manual change, and until then it hides that the source is unchanged. */
export const noGeneratedEdit = definePolicy({
  id: "no-generated-edit",
  on: ["PreToolUse"],
  needs: TEST_FACTS,
  // The generator may still change the file.
  ofTheMoment: true,
  why: text(
    "What a program made says what its source says; changed by hand it lies until the next build, and is lost then.",
    "生成物は元のファイルの写し。手で直すと次のビルドまで偽りを語り、そこで失われる。",
  ),

  applies: ({ tool }, operation) => mayChangeTests(tool, operation),

  check: (given) => guardedRuling(given, generatedRuling),

  examples: [
    { expect: "deny", when: edit(`${PLACE}/types/api.d.ts`), given: guardingTests("deny") },
    { expect: "ask", when: bash("sed -i s/a/b/ public/app.min.js"), given: guardingTests("ask") },
    { expect: "pass", when: bash("terser app.js > public/app.min.js"), given: guardingTests("deny") },
    { expect: "pass", when: write(`${PLACE}/src/app.ts`, "x"), given: guardingTests("deny") },
    { expect: "pass", when: edit(`${PLACE}/types/api.d.ts`) },
  ],
});
