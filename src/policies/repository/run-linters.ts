import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { gitSite } from "../../reading/operation/git-site.ts";
import { stagesOrCommits } from "../../reading/operation/lint-commands.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash } from "../example.ts";

/** Only names the place. The linters are looked up and run before the answer is sent; what they find is told. */
export const runLinters = definePolicy({
  id: "run-linters",
  on: ["PreToolUse"],
  needs: ["settings"],
  why: text(
    "The linters of the project check the changed files before they are committed, and the agent is told what they find.",
    "コミットの前に、プロジェクトのリンターが変更されたファイルを調べ、結果をエージェントに伝えます。",
  ),

  applies: (_, operation) => operation.shell?.invocations.some(stagesOrCommits) === true,

  check({ event, operation, facts: { settings } }) {
    const commit = operation.shell?.invocations.find(stagesOrCommits);
    if (!settings.lint.run || !commit) return pass;
    return { ...pass, jobs: [{ job: "lint", directory: gitSite(commit, event.cwd).directory }] };
  },

  examples: [
    { expect: "pass", when: bash("git commit -m x") },
    {
      expect: "pass",
      when: bash("git add -A"),
      given: { settings: { ...defaultSettings, lint: { ...defaultSettings.lint, run: true } } },
    },
  ],
});
