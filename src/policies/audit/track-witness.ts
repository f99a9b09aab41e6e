import { bindingOf } from "../../kernel/binding.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { forPerson } from "./gap-words.ts";

/**
 * An agent can run our hook itself and pose as the host. Evidence, approvals, cancels and refills therefore count only
 * once the host's own transcript shows what caused them.
 */
export const trackWitness = definePolicy({
  id: "track-witness",
  on: ["PreToolUse", "TaskCompleted", "Stop", "SubagentStop", "UserPromptSubmit"],
  needs: ["session", "caller", "witness"],
  floor: true,
  evenWhenOff: true,
  why: text(
    "A passed check or a person's word counts only if the host's own record shows it too.",
    "検証の合格や利用者の言葉は、ホスト自身の記録にもあるときだけ数える。",
  ),

  check({ facts: { session, caller, witness } }) {
    const { settled, gaps } = witness;
    if (!settled && gaps.length === 0) return pass;
    if (bindingOf(session, caller) === "unbound") return pass;
    const found = gaps.length > 0 ? [{ record: "session", do: "gap", gaps } as const] : [];
    return { ...remember(...(settled ? [settled] : []), ...found), notices: gaps.map(forPerson) };
  },

  examples: [
    { expect: "pass", when: { name: "Stop", transcript: "/t.jsonl" } },
    {
      expect: "pass",
      when: { name: "Stop", transcript: "/t.jsonl" },
      given: {
        witness: {
          isNeeded: true,
          isThere: true,
          settled: { record: "session", do: "witness", seen: ["toolu_1"] },
          gaps: [],
        },
      },
    },
  ],
});
