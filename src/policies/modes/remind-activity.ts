import { activityOf, explicitActivity } from "../../kernel/activity.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { defaultSettings } from "../../state/settings.ts";
import { activityLine } from "./activity-line.ts";

/** Advice for what the person asks for now, in one line, when it is something else than before. It never holds up a prompt. */
export const remindActivity = definePolicy({
  id: "remind-activity",
  on: ["UserPromptSubmit"],
  needs: ["session", "settings", "classified", "skills", "agents"],
  why: text(
    "An agent asked to look into something should not begin to build it, and the other way round.",
    "調査を頼まれたエージェントが作り始めたり、その逆になったりしないように。",
  ),

  // The end of a background task is no person's wish.
  applies: ({ notification }) => notification === undefined,

  check({ event, facts }) {
    if (!facts.settings.activity.hint) return pass;
    const activity = explicitActivity(event.prompt) ?? facts.classified ?? activityOf(event.prompt);
    if (activity === "none" || activity === facts.session.activity) return pass;
    return {
      ...remember({ record: "session", do: "activity", activity }),
      notes: [activityLine(activity, facts)],
    };
  },

  examples: [
    { expect: "pass", when: { name: "UserPromptSubmit", prompt: "fix the crash" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "look into the implementation of undo/redo" },
      given: { settings: { ...defaultSettings, activity: { hint: true, command: "" } } },
    },
  ],
});
