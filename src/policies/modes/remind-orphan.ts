import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";

/** A client that was killed leaves a mode behind. The person is told once; the agent has nothing to do with it. */
export const remindOrphan = definePolicy({
  id: "remind-orphan",
  on: ["SessionStart"],
  needs: ["leftBehind"],
  why: text(
    "Work that was to go on until it is done should not be forgotten because a terminal was closed.",
    "完了まで続けるはずの作業が、端末を閉じただけで忘れられないように。",
  ),

  applies: ({ source }) => source === "startup",

  check({ facts: { leftBehind } }) {
    if (!leftBehind) return pass;
    const modes = leftBehind.modes.join(", ");
    const id = leftBehind.session.slice(0, 8);
    return {
      ...remember({ record: "session", do: "tell-orphan", orphan: leftBehind.session }),
      notices: [
        text(
          `The last session (${id}) did not end and has a mode left: ${modes}. \`claude --resume\` goes on with it, \`sekisho cancel\` ends it.`,
          `前回のセッション (${id}) は終了しておらず、モードが残っています: ${modes}。続けるには \`claude --resume\`、終わらせるには \`sekisho cancel\`。`,
        ),
      ],
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "startup" },
      given: { leftBehind: { session: "s-0", modes: ["persistent"] } },
    },
  ],
});
