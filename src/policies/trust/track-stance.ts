import { askedOr } from "../../kernel/facts.ts";
import { isPersons } from "../../kernel/persons-prompt.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { isTightening, knownStance, type Stance } from "../../state/stance.ts";

/** `/sekisho:planning` and its siblings set the stance. Only what the person types counts, so the agent cannot. */
export const trackStance = definePolicy({
  id: "track-stance",
  on: ["UserPromptExpansion"],
  needs: ["session", "settings", "stance", "scheduled"],
  why: text("Only the person decides which kinds of work are open.", "どの種類の作業を開くかを決めるのは利用者だけ。"),

  applies: ({ command }) => knownStance(command.replace(/^sekisho:/, "")) !== undefined,

  check({ event, facts }) {
    const wanted = stanceIn(event.command, facts.settings);
    if (!wanted || !isPersons(event, facts.session, askedOr(facts.scheduled, []))) return pass;
    const { stance: held, isImplicit } = facts.stance;
    const isLooser = !isTightening(wanted, held) && wanted !== held;
    const change = { record: "stance", do: "set", stance: wanted, ...(isLooser && { looser: true as const }) } as const;
    const isNews = wanted !== held || isImplicit;
    return {
      ...remember(...(isNews ? [change] : [])),
      notes: [TOLD[wanted]],
      notices: [isNews ? SET[wanted] : KEPT[wanted]],
    };
  },

  examples: [
    { expect: "pass", when: { name: "UserPromptExpansion", command: "sekisho:planning", args: "" } },
    { expect: "pass", when: { name: "UserPromptExpansion", command: "planning", args: "" } },
  ],
});

/** Without our prefix it may be a command of the project's own, unless the profile is the one with these words. */
export function stanceIn(command: string, { profile }: Settings): Stance | undefined {
  if (command.startsWith("sekisho:")) return knownStance(command.slice("sekisho:".length));
  return profile.trust_gate === "domain" ? knownStance(command) : undefined;
}

const OPEN = {
  planning: text(
    "reading, tests and plans below docs/ are open; other changes and commands are not",
    "調査、テスト、docs/ 以下の計画だけができます",
  ),
  building: text("all work is open", "すべての作業ができます"),
  auditing: text("only reading is open", "閲覧だけができます"),
};

const said = (how: (word: string, open: { en: string; ja: string }) => ReturnType<typeof text>) => ({
  planning: how("PLANNING", OPEN.planning),
  building: how("BUILDING", OPEN.building),
  auditing: how("AUDITING", OPEN.auditing),
});

const SET = said((word, { en, ja }) =>
  text(
    `stance ${word}: ${en}. /sekisho:building opens everything again.`,
    `作業段階: ${word}。${ja}。/sekisho:building で元に戻せます。`,
  ),
);
const KEPT = said((word, { en, ja }) =>
  text(`the stance is ${word} already: ${en}.`, `作業段階は既に ${word} です。${ja}。`),
);
const TOLD = said((word, { en, ja }) =>
  text(
    `Sekisho: the person set the stance to ${word}: ${en}. You cannot change it.`,
    `関所: 利用者が作業段階を ${word} にしました。${ja}。あなたは変更できません。`,
  ),
);
