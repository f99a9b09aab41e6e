import { definePolicy, pass } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";

/** Checks at the start of a session that the gate still refuses a dangerous call. */
export const remindCanary = definePolicy({
  id: "remind-canary",
  on: ["SessionStart"],
  needs: ["canary"],
  floor: true,
  why: text(
    "A gate that no longer shuts looks like one with nothing to refuse.",
    "閉まらなくなった門は、止めるもののない門と見分けがつかない。",
  ),

  check({ facts }) {
    const { denied, detail } = facts.canary;
    if (denied) return pass;
    const cause = inline(detail, 200);
    return {
      ...pass,
      broken: `the canary was not refused: ${detail}`,
      notices: [
        text(
          `THE CHECKPOINT DOES NOT REFUSE: \`rm -rf /\`, put to it as a test, was not refused (${cause}). Do not let the agent work. Install Sekisho again, then run \`sekisho init\`.`,
          `関所が止めていません: 試しの \`rm -rf /\` が拒否されませんでした (${cause})。エージェントに作業させないでください。入れ直して \`sekisho init\` を実行してください。`,
        ),
      ],
      notes: [
        text(
          "Sekisho: the checkpoint does not refuse what it must. Change nothing; tell the person to look at `sekisho status` first.",
          "関所: 止めるべきものを止められない状態です。何も変更せず、まず利用者に `sekisho status` を見るよう伝えてください。",
        ),
      ],
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "startup" },
      given: { canary: { denied: false, detail: 'the verdict was "pass"' } },
    },
  ],
});
