import { bindingOf } from "../../kernel/binding.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
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
    const { settled, gaps, repairs = [], again = [] } = witness;
    if (!settled && gaps.length + repairs.length + again.length === 0) return pass;
    if (bindingOf(session, caller) === "unbound") return pass;
    const found = gaps.length > 0 ? [{ record: "session", do: "gap", gaps } as const] : [];
    return {
      ...remember(...(settled ? [settled] : []), ...found, ...repairs),
      notices: [...gaps.map(forPerson), ...(again.length > 0 ? [judgedAgain(again)] : [])],
    };
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

/** Another hook may have held the turn after the mode was done; or a program recorded the end. */
function judgedAgain(modes: readonly string[]): Text {
  const names = modes.join(", ");
  return text(
    `The end of ${names} is recorded, but this turn went on, so it is judged again.`,
    `${names} の終わりが記録されていますが、このターンは続いているため、もう一度判定します。`,
  );
}
