/** Copies the files of the work tree that a command would destroy, so that they can be restored. */

import { definePolicy, pass } from "../../../kernel/policy.ts";
import { text } from "../../../lib/text.ts";
import { type Loss, lossesOf } from "../../../reading/operation/losses.ts";
import { bash } from "../../example.ts";

/** Never objects. The host has checkpoints for its own file tools, but not for shell commands. */
export const runSnapshot = definePolicy({
  id: "run-snapshot",
  on: ["PreToolUse"],
  needs: ["standing"],
  why: text(
    "A deletion that was allowed can still be a mistake, and what git was never told about has no other copy.",
    "許された削除も間違いかもしれません。Git に渡していないものには、ほかに控えがありません。",
  ),

  applies: ({ tool }, operation) => tool.kind === "bash" && lossesOf(operation).length > 0,

  check({ operation, facts }) {
    const losses = lossesOf(operation).filter((loss) => isThere(loss, facts.standing));
    return losses.length === 0 ? pass : { ...pass, jobs: [{ job: "snapshot", losses }] };
  },

  examples: [
    { expect: "pass", when: bash("rm -rf build"), given: { standing: { "/home/dev/project/build": true } } },
    { expect: "pass", when: bash("rm -rf build"), given: { standing: { "/home/dev/project/build": false } } },
    { expect: "pass", when: bash("git checkout -- src/a.ts") },
    { expect: "pass", when: bash("ls -la > listing.txt") },
  ],
});

/** A path that was not looked up may exist. */
function isThere(loss: Loss, standing: Readonly<Record<string, boolean>>): boolean {
  return !("path" in loss) || (standing[loss.path] ?? true);
}
