import type { Staged } from "../../kernel/facts.ts";
import { definePolicy, type Ruling } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { bash, PLACE } from "../example.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { mergesIn } from "./merging.ts";

/** An agent whose commit was rejected by a repository hook often tries `git merge` next. */
export const noMergeOverStaged = definePolicy({
  id: "no-merge-over-staged",
  on: ["PreToolUse"],
  needs: ["staged", "scripts"],
  why: text(
    "A merge over a filled index mixes into one commit what was never reviewed together, and giving it up can lose what was staged.",
    "ステージ済みの変更の上にマージすると、別々の変更が一つに混ざり、取り消すとステージした内容が失われることがある。",
  ),

  applies: (_, operation) => operation.shell !== undefined,

  check({ event, operation, facts }) {
    const judge = (one: Pick<ReadScript, "operation">): Ruling => mergesIn(one.operation, facts.staged, event.cwd);
    const itself = judge({ operation });
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
  },

  examples: [
    { expect: "deny", when: bash("git merge main"), given: { staged: { [PLACE]: some("a.ts") } } },
    { expect: "deny", when: bash("npm test && git pull"), given: { staged: { [PLACE]: some("a.ts", "b.ts") } } },
    { expect: "pass", when: bash("git merge main"), given: { staged: { [PLACE]: some() } } },
    { expect: "pass", when: bash("git merge --abort"), given: { staged: { [PLACE]: some("a.ts") } } },
    { expect: "pass", when: bash("git merge main"), given: { staged: { [PLACE]: { unseen: "there is no git" } } } },
  ],
});

function some(...names: readonly string[]): Staged {
  return { count: names.length, names, more: false };
}
