import { definePolicy, pass, type Ruling } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { bash, edit, guardingTests, PLACE, write } from "../example.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { mayChangeTests, testGrade } from "./test-guard.ts";
import { generatedRuling } from "./test-ruling.ts";

/** A hand-made change there is gone with the next build, and hides that the source was not changed. */
export const noGeneratedEdit = definePolicy({
  id: "no-generated-edit",
  on: ["PreToolUse"],
  needs: ["settings", "session", "places", "targets", "standingText", "scripts"],
  why: text(
    "What a program made says what its source says; changed by hand it lies until the next build, and is lost then.",
    "生成物は元のファイルの写し。手で直すと次のビルドまで偽りを語り、そこで失われる。",
  ),

  applies: ({ tool }, operation) => mayChangeTests(tool, operation),

  check({ event, operation, facts }) {
    const grade = testGrade(facts.settings, facts.session);
    if (grade === "off") return pass;
    const place = { cwd: event.cwd, project: facts.places.project, standing: facts.standingText };
    const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling =>
      generatedRuling({
        tool: event.tool,
        operation: one.operation,
        ground: { ...place, targets: one.targets },
        grade,
      });
    const itself = judge({ operation, targets: facts.targets });
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
  },

  examples: [
    { expect: "deny", when: edit(`${PLACE}/types/api.d.ts`), given: guardingTests("deny") },
    { expect: "ask", when: bash("sed -i s/a/b/ public/app.min.js"), given: guardingTests("ask") },
    { expect: "pass", when: bash("terser app.js > public/app.min.js"), given: guardingTests("deny") },
    { expect: "pass", when: write(`${PLACE}/src/app.ts`, "x"), given: guardingTests("deny") },
    { expect: "pass", when: edit(`${PLACE}/types/api.d.ts`) },
  ],
});
