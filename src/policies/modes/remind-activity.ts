import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { activityOf, explicitActivity } from "../../language/activity/activity.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { activityLine } from "./activity-line.ts";

/** Gives one line of advice when the kind of request changes. Never blocks a prompt. */
export const remindActivity = definePolicy({
  id: "remind-activity",
  on: ["UserPromptSubmit"],
  needs: ["session", "settings", "classified", "skills", "agents"],
  needsIf: {
    skills: ({ settings }) => settings.activity.hint,
    agents: ({ settings }) => settings.activity.hint,
  },
  why: text(
    "An agent asked to look into something should not begin to build it, and the other way round.",
    "調査を頼まれたエージェントが作り始めたり、その逆になったりしないように。",
  ),

  // The end of a background task is not a request of a person.
  applies: ({ notification }) => notification === undefined,

  check({ event, facts }) {
    if (!facts.settings.activity.hint) return pass;
    const activity = explicitActivity(event.prompt) ?? facts.classified ?? activityOf(event.prompt);
    if (activity === "none" || activity === facts.session.activity) return pass;
    return {
      ...remember({ record: "session", do: "activity", activity }),
      notes: [activityLine(activity, { skills: askedOr(facts.skills, []), agents: askedOr(facts.agents, []) })],
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
