import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { text } from "../../lib/text.ts";
import { CHECKS } from "../../state/check-names.ts";
import { changedTree } from "./example-work.ts";

/** Records what each check consists of, and tells the person which checks changed since the last session here. */
export const trackCheckDefinitions = definePolicy({
  id: "track-check-definitions",
  on: ["SessionStart"],
  needs: ["session", "checkedTrees", "knownChecks"],
  why: text(
    "A check proves something as long as it is the one that people know.",
    "検証が証拠になるのは、人が知っている検証のままである間だけだ。",
  ),

  check({ facts: { session, checkedTrees, knownChecks } }) {
    const [tree] = checkedTrees;
    if (!tree || tree.checks.length === 0 || own(session.defined ?? {}, tree.root)) return pass;
    const { root, definitions, checks, named } = tree;
    const before = own(knownChecks, root) ?? {};
    const moved = CHECKS.filter((name) => before[name] !== undefined && before[name] !== definitions[name]);
    const words = moved
      .map((name) => `${name} (${checks.find((one) => one.name === name)?.command ?? "-"})`)
      .join(", ");
    const notice = text(
      `these checks are not what they were in the last session: ${words}`,
      `前回のセッションから次の検証の内容が変わっています: ${words}`,
    );
    return {
      ...remember({ record: "check", do: "define", root, definitions, ...(named && { named }) }),
      ...(moved.length > 0 && { notices: [notice] }),
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    { expect: "pass", when: { name: "SessionStart", source: "startup" }, given: { checkedTrees: [changedTree] } },
  ],
});
