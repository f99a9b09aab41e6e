/** Claude Code as policies know it. Patterns are getters, because most events use none. */
import type { HostTraits } from "../../kernel/host-traits.ts";
import { DIRECTORY, PROCESS, PROJECT } from "./layout.ts";
import { restart } from "./restart.ts";

export const traits: HostTraits = {
  directory: DIRECTORY,
  contextDirectory: ".claude/context",
  skillsDirectory: ".claude/skills",
  agentsDirectory: ".claude/agents",
  scheduleFile: "/.claude/scheduled_tasks.json",
  projectVariable: PROJECT,
  fileTools: ["Write", "Edit", "MultiEdit", "NotebookEdit"],
  wholeReads: ["Read", "NotebookRead"],
  readingAgents: ["Explore", "claude-code-guide"],
  processNames: ["claude", "claude.exe"],
  processVariables: ["PPID", PROCESS],
  get textPaths() {
    return /\/\.claude\/(?:skills|commands|agents)(?:\/|$)/;
  },
  get planFiles() {
    return /\/\.claude\/plans\/[^/]+\.md$/;
  },
  get restart() {
    return restart();
  },
  get ownNotes() {
    return /\/projects\/[^/]+\/memory(?:\/|$)/;
  },
  get sessionPlaces() {
    return /\.claude\/+sessions\b/;
  },
  get channelVariables() {
    return /CLAUDE_CODE_MESSAGING_/;
  },
  get channelPlaces() {
    return /\bcc-(?:socks|daemon-\d+)\b/;
  },
  get serverFiles() {
    return /\/\.(?:mcp|claude)\.json$/;
  },
  // An inline command, a command block, and keys that a file header can register.
  get textCommands() {
    return /!`|^\s*(?:`{3,}|~{3,})!|^\s*["']?(?:hooks|mcpServers)["']?\s*:/m;
  },
  get textHalves() {
    return /^`|!$/;
  },
  get settingsWords() {
    return /\.claude\b(?!\/+(?:agents|commands|skills))|settings(\.local)?\.json|disableAllHooks/;
  },
  get settingsNames() {
    return /\.claude\b[^\n]{0,40}\bsettings(?:\.local)?\.json|disableAllHooks/;
  },
};
