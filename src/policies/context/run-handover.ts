import { definePolicy, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";

/** Writes the handover before a compaction, because the conversation cannot be asked afterwards. */
export const runHandover = definePolicy({
  id: "run-handover",
  on: ["PreCompact"],
  // Needed for the handover, which is written once the verdict is recorded.
  needs: ["session", "plans", "hostTasks"],
  why: text(
    "A summary forgets how far the work had come; the repository, the plan and the journal know.",
    "要約は作業の進み具合を忘れる。リポジトリ・計画・記録はそれを知っている。",
  ),

  // A subagent's conversation has no SessionStart at which the note could be shown.
  applies: ({ agent }) => agent === undefined,

  check: () => ({ ...remember({ record: "session", do: "compact" }), jobs: [{ job: "handover" }] }),

  examples: [
    { expect: "pass", when: { name: "PreCompact", trigger: "auto", transcript: "" } },
    { expect: "pass", when: { name: "PreCompact", trigger: "manual", transcript: "" } },
  ],
});
