import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PLACE } from "../example.ts";

/** Where `plan.state_file` says so, `state.md` shows where the work stands. It is a view: nobody's word counts by it. */
export const runStateFile = definePolicy({
  id: "run-state-file",
  on: ["SessionStart", "UserPromptSubmit", "SubagentStop", "Stop", "SessionEnd"],
  needs: ["settings", "stateFile"],
  needsIf: { stateFile: ({ settings }) => settings.plan.state_file === "on" },
  why: text(
    "`state.md` shows people and other tools where the work stands, without a command.",
    "`state.md` を見れば、人も他の道具も、コマンドなしで作業の状況が分かります。",
  ),

  check({ facts: { settings, stateFile } }) {
    const file = settings.plan.state_file === "on" ? askedOr(stateFile, null) : null;
    return file ? { ...pass, jobs: [{ job: "state-file", ...file }] } : pass;
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on" },
      given: {
        settings: { ...defaultSettings, plan: { ...defaultSettings.plan, state_file: "on" } },
        stateFile: { root: PLACE, text: "x" },
      },
    },
  ],
});
