import type { ProtectedFiles } from "../../kernel/facts.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { namesOf, pathsMeet } from "../../lib/path-meeting.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";

/** Purely mechanical: moves older entries to an archive and notes the time of the compaction in the plan. */
export const runTrim = definePolicy({
  id: "run-trim",
  on: ["PreCompact"],
  needs: ["settings", "places", "host", "protectedFiles"],
  why: text(
    "What outlives a conversation must stay short enough to be read again.",
    "会話より長く残るものは、読み返せる短さでなければならない。",
  ),

  check({ facts }) {
    if (!facts.settings.context.guide) return pass;
    // The list of protected files also binds Sekisho.
    const directory = `${facts.places.project}/${facts.host.contextDirectory}`;
    const isKept = facts.protectedFiles.some((file) => file.level !== "WARN" && covers(file, directory));
    return isKept ? pass : { ...pass, jobs: [{ job: "trim" }] };
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

function covers({ places }: ProtectedFiles, directory: string): boolean {
  const paths = TRIMMED.map((name) => namesOf(`${directory}/${name}`, false));
  return places.some(({ everywhere }) => paths.some((path) => pathsMeet(everywhere, path)));
}
