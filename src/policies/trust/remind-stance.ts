import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";

/** A default stance also restricts work, and the person should learn of it before the first refusal. */
export const remindStance = definePolicy({
  id: "remind-stance",
  on: ["SessionStart"],
  needs: ["stance", "settings"],
  why: text(
    "A stance closes whole kinds of work, so whoever works under it must know it.",
    "構えは作業の種類ごと閉じるので、その下で働く者に知らせておく。",
  ),

  check({ facts }) {
    const { stance, isImplicit } = facts.stance;
    const { profile } = facts.settings;
    // A stance that restricts nothing is not announced; `sekisho status` shows it anyway.
    const isFelt = stance !== "building" || profile.trust_gate === "domain" || profile.remote === "deny";
    const word = stance.toUpperCase();
    const implicit = text(
      `the stance is ${word}, by default; \`sekisho stance\` sets it.`,
      `構えは既定の ${word} です。\`sekisho stance\` で設定できます。`,
    );
    return {
      ...pass,
      ...(isImplicit && isFelt && { notices: [implicit] }),
      ...(stance !== "building" && {
        notes: [
          text(`Sekisho: the stance is ${word}. ${OPEN[stance].en}`, `関所: 構えは ${word} です。${OPEN[stance].ja}`),
        ],
      }),
    };
  },

  examples: [
    {
      expect: "pass",
      when: { name: "SessionStart", source: "startup" },
      given: { stance: { stance: "planning", isImplicit: true } },
    },
  ],
});

const OPEN = {
  planning: text(
    "Reading, tests and plans below docs/ are open; changing other files, running other commands and git's remotes are not.",
    "調査、テスト、docs/ 以下の計画は開いています。ほかのファイルの変更、ほかのコマンド、git のリモートは閉じています。",
  ),
  auditing: text("Only reading is open; nothing may be changed.", "閲覧だけが開いています。変更はできません。"),
};
