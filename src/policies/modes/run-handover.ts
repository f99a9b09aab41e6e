import { definePolicy, remember } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";

/** What must outlive the conversation is written down before it is made shorter: nobody can ask it afterwards. */
export const runHandover = definePolicy({
  id: "run-handover",
  on: ["PreCompact"],
  // Named for what is written down, which is done once the verdict is kept.
  needs: ["session", "plans", "hostTasks"],
  why: text(
    "A summary forgets how far the work had come; the repository, the plan and the journal know.",
    "要約は作業の進み具合を忘れる。リポジトリ・計画・記録はそれを知っている。",
  ),

  // A subagent's conversation has no beginning at which anybody could tell it.
  applies: ({ agent }) => agent === undefined,

  check: () => ({ ...remember({ record: "session", do: "compact" }), handover: true }),

  examples: [
    { expect: "pass", when: { name: "PreCompact", trigger: "auto", transcript: "" } },
    { expect: "pass", when: { name: "PreCompact", trigger: "manual", transcript: "" } },
  ],
});
