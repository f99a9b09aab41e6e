import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { defaultSettings } from "../../state/settings.ts";

/** Purely mechanical: older entries go to an archive, and the plan says when the conversation was last made shorter. */
export const runTrim = definePolicy({
  id: "run-trim",
  on: ["PreCompact"],
  needs: ["settings"],
  why: text(
    "What outlives a conversation must stay short enough to be read again.",
    "会話より長く残るものは、読み返せる短さでなければならない。",
  ),

  check: ({ facts }) => (facts.settings.context.guide ? { ...pass, trim: true } : pass),

  examples: [
    {
      expect: "pass",
      when: { name: "PreCompact" },
      given: { settings: { ...defaultSettings, context: { ...defaultSettings.context, guide: true } } },
    },
  ],
});
