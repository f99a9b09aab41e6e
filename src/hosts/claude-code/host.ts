/** The parts of Claude Code that an event needs. */
import type { Host } from "../host.ts";
import { arming } from "./arming.ts";
import { ATTENDED, CONFIG, ENTRYPOINT, layout, marks, PROJECT } from "./layout.ts";
import { BODY_CHARS_MAX, mayHoldCommand, parse, sessionIn } from "./parse.ts";
import { peersOf } from "./registry.ts";
import { context, render, renderOverHttp } from "./render.ts";
import { scheduledPrompts } from "./scheduled-prompts.ts";
import { shellSetup } from "./shell-setup.ts";
import { agentsOf, skillsOf } from "./skills.ts";
import { tasksOf } from "./tasks.ts";
import { deadlineMs, inputMs } from "./timeouts.ts";
import { traits } from "./traits.ts";
import { isTranscriptOf, readTranscriptLine, transcriptOfAgent } from "./transcript.ts";
import { readPrompt } from "./transcript-prompt.ts";
import { stepsIn } from "./transcript-steps.ts";
import { variablesIn } from "./variables.ts";

/** What few events need is a getter: its file runs when it is asked for. */
export const host: Host = {
  id: "claude-code",
  layout,
  marks,
  get traits() {
    return traits;
  },
  protectedLists: [".claude/protected-files.txt"],
  protectedMinimum: ["HARD_BLOCK:CLAUDE.md", "BLOCK:.claude/settings.json", "BLOCK:.claude/settings.local.json"],
  shellFiles: "shell-snapshots",
  shellFunctions: ["rg", "find", "grep", "pkill"],
  get shellSetup() {
    return shellSetup;
  },
  checkVariables: { lint: "CLAUDE_QA_ANALYZE_CMD", test: "CLAUDE_QA_TEST_CMD", build: "CLAUDE_QA_CODEGEN_CMD" },
  variablesIn,
  globalLearnings: "~/.claude/learnings/global-learnings.md",
  bodyCharsMax: BODY_CHARS_MAX,
  get sessionVariables() {
    return [PROJECT, CONFIG, ENTRYPOINT, ATTENDED, "SHELL", ...shellSetup.variables];
  },
  parse,
  sessionIn,
  mayHoldCommand,
  render,
  renderOverHttp,
  context,
  deadlineMs,
  inputMs,
  arming,
  readTranscriptLine,
  isTranscriptOf,
  transcriptOfAgent,
  transcriptSteps: stepsIn,
  readPrompt,
  skillsOf,
  agentsOf,
  peersOf,
  tasksOf,
  scheduledPrompts,
};
