/** Claude Code's settings files and environment variables. */
import type { HostLayout, HostMarks } from "../../world/host-layout.ts";

export const DIRECTORY = ".claude";
export const PROJECT = "CLAUDE_PROJECT_DIR";
export const PROCESS = "CLAUDE_PID";
export const CONFIG = "CLAUDE_CONFIG_DIR";
/** These say how Claude Code was started and whether a person can answer questions. */
export const ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT";
export const ATTENDED = "CLAUDE_CODE_SESSION_ATTENDED";

export const layout: HostLayout = {
  directory: DIRECTORY,
  settings: ["settings.json", "settings.local.json"],
  managed: ["/etc/claude-code/managed-settings.json"],
  records: ["projects", "sessions", "shell-snapshots", "session-env"],
  variables: { process: PROCESS, project: PROJECT, config: CONFIG, plugin: "CLAUDE_PLUGIN_ROOT" },
};

export const marks: HostMarks = {
  variables: ["CLAUDECODE", ENTRYPOINT, "CLAUDE_CODE_SESSION_ID", "AI_AGENT"],
  processName: /^claude(\.exe)?$/i,
};
