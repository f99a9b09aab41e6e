import type { ProtectedFiles } from "../../kernel/facts.ts";
import { namesOf, pathsMeet } from "../../kernel/path-meeting.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { defaultSettings } from "../../state/settings.ts";

/** Purely mechanical: older entries go to an archive, and the plan says when the conversation was last made shorter. */
export const runTrim = definePolicy({
  id: "run-trim",
  on: ["PreCompact"],
  needs: ["settings", "places", "protectedFiles"],
  why: text(
    "What outlives a conversation must stay short enough to be read again.",
    "会話より長く残るものは、読み返せる短さでなければならない。",
  ),

  check({ facts }) {
    if (!facts.settings.context.guide) return pass;
    // The list holds for us as for the agent.
    const isKept = facts.protectedFiles.some((file) => file.level !== "WARN" && covers(file, facts.places.project));
    return isKept ? pass : { ...pass, trim: true };
  },

  examples: [
    {
      expect: "pass",
      when: { name: "PreCompact" },
      given: { settings: { ...defaultSettings, context: { ...defaultSettings.context, guide: true } } },
    },
  ],
});

const TRIMMED = ["task_plan.md", "progress.md", "progress-archive.md"];

function covers({ places }: ProtectedFiles, project: string): boolean {
  const paths = TRIMMED.map((name) => namesOf(`${project}/.claude/context/${name}`, false));
  return places.some(({ everywhere }) => paths.some((path) => pathsMeet(everywhere, path)));
}
