/** Agents that would run without our hooks, however they are named or wrapped. */
import { describePolicy, HOME, ordinaryFacts, PROJECT } from "../../describe-policy.ts";
import { bash } from "../../example.ts";
import { noDestructiveCommand } from "./no-destructive-command.ts";

const [ARMED] = ordinaryFacts.hostSettings;
const registered = (...paths: readonly string[]) => ({
  hostSettings: paths.flatMap((path) => (ARMED ? [{ ...ARMED, path }] : [])),
});
const local = registered(`${PROJECT}/.claude/settings.local.json`);
const shared = registered(`${PROJECT}/.claude/settings.json`);
const user = registered(`${HOME}/.claude/settings.json`);

describePolicy(noDestructiveCommand, ({ asks, passes }) => {
  for (const command of [
    "claude -p x --bare",
    "claude --safe-mode",
    "claude -p --restricted x",
    `claude -p x --settings '{"disableAllHooks":true}'`,
    "claude -p x --settings=/tmp/s.json",
    "claude --setting-sources user -p x",
    'claude --setting-sources "" -p x',
    "claude --plugin-dir /tmp/p -p x",
    "claude --mcp-config /tmp/m.json -p x",
    "claude -n --version --bare -p x",
    "claude -p x --bare | tee log",
    "env A=1 claude --bare -p x",
    "nohup setsid claude --bare -p x &",
    "bash -c 'claude --bare -p x'",
    "echo x | xargs claude --bare -p",
    "/usr/local/bin/claude --bare -p x",
    "node_modules/.bin/claude --bare -p x",
    "npx -y @anthropic-ai/claude-code@latest -p x --safe-mode",
    "pnpm dlx @anthropic-ai/claude-code --bare -p x",
    "node node_modules/@anthropic-ai/claude-code/cli.js --bare -p x",
    "cp $(which claude) /tmp/c; /tmp/c --bare -p x",
    "CLAUDE_CODE_SIMPLE=1 claude -p x",
    "CLAUDE_CODE_SIMPLE=1 /tmp/c -p x",
    "export CLAUDE_CODE_SAFE_MODE=1; claude -p x",
    "env CLAUDE_CODE_RESTRICTED=1 claude -p x",
    "HOME=/tmp/h claude -p x",
    "XDG_STATE_HOME=/tmp/s claude -p x",
    "CLAUDE_CONFIG_DIR=/tmp/h claude -p x",
    "cd /tmp && claude -p x",
    "claude --dangerously-skip-permissions -p x",
    "claude --permission-mode bypassPermissions",
    "claude mcp add x -- node server.js",
    "claude plugin install a@b",
    "claude plugin disable sekisho@sekisho",
    "claude purge",
    "python3 -c 'import os; os.system(\"claude --bare -p x\")'",
    'node -e \'require("child_process").spawnSync("claude", ["--bare", "-p", "x"])\'',
    `node -e 'import("@anthropic-ai/claude-agent-sdk").then((m) => m.query({ prompt: "x" }))'`,
    "codex exec 'fix it'",
    "codex",
    "npx @openai/codex exec x",
    "node node_modules/@openai/codex/bin/codex.js exec x",
    "gemini -p x",
    "npx @google/gemini-cli@latest -p x",
    "gemini help me with this",
    "opencode run x",
    "bunx opencode-ai run x",
    "kilo run x",
    "npx @kilocode/cli run x",
    "copilot -p x --allow-all-tools",
    "copilot",
    "qwen -p x",
    "kimi -p x",
    "droid exec x",
    "pi -p x",
    "cline x",
    "crush run x",
    "amp -x y",
    "auggie -p x",
    "cursor-agent -p x",
    "aider --message x",
    "uvx aider-chat --message x",
    "pipx run aider-chat --message x",
    "goose run -t x",
    "gh copilot -p x",
    "ollama launch codex",
    "sudo -u dev codex exec x",
    "git diff | codex exec -",
  ])
    asks(command, bash(command), local);

  for (const command of [
    "claude --version",
    "claude -v",
    "claude --help | head",
    "which claude && claude --help",
    "claude doctor",
    "claude mcp list",
    "claude mcp get x",
    "claude plugin list",
    "claude plugin validate .",
    "claude update",
    "claude agents --json",
    "claude -p 'summarise the changes'",
    "claude -p x --output-format json --max-turns 3",
    "npx @anthropic-ai/claude-code -p x",
    "cd src && claude -p x",
    "npm i -g @openai/codex",
    "npm install --save-dev @google/gemini-cli",
    "npm view @openai/codex version",
    "codex --version",
    "gemini --help",
    "codex mcp list",
    "which codex gemini opencode",
    "copilot svc deploy --name api",
    "copilot init",
    "goose up",
    "ollama run qwen",
    "gh pr list",
    "node server.js codex",
    "goose -dir migrations postgres up",
    "cat ~/.codex/config.toml",
    "grep -rn codex src",
    "git log --grep=codex",
    "echo claude --bare",
    "git clone --bare x.git",
    "ls node_modules/@openai/codex",
    "HOME=/tmp/h npm test",
    "docker run --rm x codex exec y",
  ])
    passes(command, bash(command), local);

  asks("the shared file does not count below its root", bash("cd src && claude -p x"), shared);
  asks("nor in another work tree", bash("claude -w a -p x"), shared);
  passes("it counts in its root", bash("claude -p x"), shared);
  passes("the user's file counts everywhere", bash("cd /tmp && claude -p x"), user);
  passes("without a file the hooks come with the project", bash("claude -p x"));
  asks("and only there", bash("cd /tmp && claude -p x"));
});
