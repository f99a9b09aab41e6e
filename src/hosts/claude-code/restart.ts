/**
 * Which command lines start Claude Code without our hooks. Options and subcommands are from its `--help`; what each
 * option and variable does to hooks was measured with version 2.1.325.
 */
import type { HostRestart } from "../../kernel/host-traits.ts";

export function restart(): HostRestart {
  return {
    packages: ["@anthropic-ai/claude-code"],
    libraries: /@anthropic-ai\/claude-(?:agent-sdk|code)|\bclaude_(?:agent|code)_sdk\b/,
    options:
      /^--(?:bare|safe-mode|restricted|setting-sources|settings|plugin-dir|plugin-url|mcp-config|cloud|teleport|remote-control|(?:allow-)?dangerously-skip-permissions)(?:[= ]|$)|^--permission-mode[= ]bypassPermissions$/,
    switches: /^CLAUDE_CODE_(?:SIMPLE|SAFE_MODE|RESTRICTED)$/,
    // The last one moves our own state: the agent could prepare a journal there.
    moves: /^(?:CLAUDE_CONFIG_DIR|HOME|XDG_STATE_HOME)$/,
    tells:
      /^(?:agents|auth|auto-mode|doctor|install|logs|setup-token|update|upgrade|mcp (?:list|get|help|login|logout)|plugins? (?:list|details|validate|help))\b/,
    changes: /^(?:mcp|plugins?|import|purge|gateway|attach|respawn|rm|stop|kill|ultrareview)(?: |$)/,
    // Measured: the client looks for the local file in the root of the repository, for the shared one only where it starts.
    reachBelow: /\/settings\.local\.json$/,
    elsewhere: /^(?:-w|--worktree)(?:[= ]|$)/,
  };
}
