import { definePolicy, deny, pass } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { edit, PLACE, read } from "../example.ts";
import { guardWords } from "./guard-words.ts";

/** The project's own guards: a script of a person's may refuse a tool use, and nothing that it says lets one pass. */
export const requireGuards = definePolicy({
  id: "require-guards",
  on: ["PreToolUse"],
  needs: ["guards"],
  // A guard judges every other way itself.
  ofTheMoment: true,
  why: text(
    "A project knows dangers that no general rule knows.",
    "どの一般的な規則も知らない危険を、プロジェクトは知っている。",
  ),

  check({ operation, facts: { guards } }) {
    const found = guards.find(({ outcome }) => outcome !== "passed");
    if (!found) return pass;
    // A guard that cannot judge stops changes; reading and asking go on.
    return found.outcome === "refused" || changes(operation)
      ? deny(guardWords(found))
      : { ...pass, broken: `guard ${inline(found.name, 60)}: ${found.outcome}` };
  },

  examples: [
    {
      expect: "deny",
      when: edit(`${PLACE}/a.ts`),
      given: { guards: [{ name: "no-friday", outcome: "refused", reason: "No changes on a Friday." }] },
    },
    {
      expect: "deny",
      when: edit(`${PLACE}/a.ts`),
      given: { guards: [{ name: "no-friday", outcome: "changed", reason: "" }] },
    },
    {
      expect: "pass",
      when: read(`${PLACE}/a.ts`),
      given: { guards: [{ name: "no-friday", outcome: "missing", reason: "" }] },
    },
    {
      expect: "pass",
      when: edit(`${PLACE}/a.ts`),
      given: { guards: [{ name: "no-friday", outcome: "passed", reason: "" }] },
    },
    { expect: "pass", when: edit(`${PLACE}/a.ts`) },
  ],
});
