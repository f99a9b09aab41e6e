import type { HookEvent } from "../../kernel/event.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { PLACE, using } from "../example.ts";
import { adviceOn, failedEdits } from "./failed-edits.ts";
import { REFUSED_CALL } from "./refused-call.ts";

const edit = {
  kind: "edit",
  name: "Edit",
  path: `${PLACE}/a.ts`,
  edits: [{ old: "a", new: "b", all: false }],
} as const;
const call = { id: "call-1", tool: "Edit", path: "a.ts" };

/** Most failed edits have no event of their own; only the batch reports them, with the text the model gets. */
export const remindReread = definePolicy({
  id: "remind-reread",
  on: ["PostToolUse", "PostToolUseFailure", "PostToolBatch"],
  needs: ["session", "targets"],
  why: text(
    "An edit that failed fails again, unless what made it fail is looked at first.",
    "失敗した編集は、原因を確かめないかぎり繰り返し失敗する。",
  ),
  applies: (event) => mayHaveFailed(event),

  check({ event, facts }) {
    const failed = failedEdits(event, facts.session);
    return failed.length === 0 ? pass : { ...pass, notes: failed.map((one) => adviceOn(one, event.cwd, facts)) };
  },

  examples: [
    { expect: "pass", when: { ...using(edit, "PostToolUseFailure"), error: "old_string was not found in the file" } },
    {
      expect: "pass",
      when: {
        name: "PostToolBatch",
        calls: [
          { ...call, response: "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>" },
        ],
      },
    },
  ],
});

/** Runs after every batch, so it only compares the start of each response. */
function mayHaveFailed(event: HookEvent<"PostToolUse" | "PostToolUseFailure" | "PostToolBatch">): boolean {
  if (event.name === "PostToolBatch") return event.calls.some(({ response }) => response.startsWith(REFUSED_CALL));
  const isEdit = event.tool.kind === "write" || event.tool.kind === "edit" || event.tool.kind === "notebook";
  if (event.name === "PostToolUse") return isEdit && event.failed;
  return isEdit && !event.interrupted && event.failed !== false;
}
