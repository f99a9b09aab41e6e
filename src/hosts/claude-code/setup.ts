/** The parts of Claude Code that commands need. */
import type { HostSetup } from "../setup.ts";
import { rehearsal } from "./rehearsal.ts";
import { settings } from "./settings.ts";
import { statusIn } from "./statusline.ts";
import { startTrial } from "./trial/trial.ts";
import { waking } from "./waking.ts";

export const setup: HostSetup = {
  title: "Claude Code",
  program: "claude",
  failsClosedSince: "2.1.295",
  howToUpdate:
    "Update it: `claude update`, or `npm install -g @anthropic-ai/claude-code@latest` with Node 22 or newer (on Node 20 npm settles for an old one).",
  settingsFiles: { local: "settings.local.json", project: "settings.json", user: "settings.json" },
  contractFiles: ["CLAUDE.md", "AGENTS.md", ".claude/agents/", ".claude/hooks/", ".claude/settings*.json"],
  ownVariables: /^(?:CLAUDE|AI_AGENT$)/,
  settings,
  rehearsal,
  statusIn,
  startTrial,
  waking,
};
