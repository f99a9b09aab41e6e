import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";

/** An ended session has left a mode behind. The person is told once, the agent is not. */
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
    const { session } = leftBehind;
    const id = session.slice(0, 8);
    return {
      ...remember({ record: "session", do: "tell-orphan", orphan: session }),
      notices: [
        text(
          `An earlier session has left a mode on: ${modes}. It does not count here. \`claude --resume ${session}\` goes on with it, \`sekisho cancel --session ${id}\` ends it.`,
          `以前のセッションにモードが残っています: ${modes}。ここでは効きません。続けるには \`claude --resume ${session}\`、終わらせるには \`sekisho cancel --session ${id}\`。`,
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
