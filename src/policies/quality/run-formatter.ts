import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PLACE, using } from "../example.ts";

const page = { kind: "write", name: "Write", path: `${PLACE}/a.ts`, content: "x" } as const;

/** Only names the file. The formatter is looked up and run before the answer is sent. */
export const runFormatter = definePolicy({
  id: "run-formatter",
  on: ["PostToolUse"],
  needs: ["settings"],
  why: text(
    "A file in the project's own format makes small changes, and no later tool rewrites it.",
    "プロジェクトの書式に揃えておけば差分は小さく、後から書き換えられることもない。",
  ),
  applies: ({ tool, failed }) => !failed && (tool.kind === "write" || tool.kind === "edit"),

  check({ event: { tool }, facts }) {
    const path = tool.kind === "write" || tool.kind === "edit" ? tool.path : "";
    const isWanted = facts.settings.format.enabled && !/\.(?:min\.(?:js|css)|map)$/i.test(path);
    return isWanted ? { ...pass, jobs: [{ job: "format", path }] } : pass;
  },

  examples: [
    { expect: "pass", when: { ...using(page, "PostToolUse"), failed: false } },
    {
      expect: "pass",
      when: { ...using(page, "PostToolUse"), failed: false },
      given: { settings: { ...defaultSettings, format: { enabled: true, commands: [] } } },
    },
  ],
});
