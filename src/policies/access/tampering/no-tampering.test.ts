import { describe, expect, it } from "vitest";
import type { Arming } from "../../../kernel/facts.ts";
import { newSession } from "../../../state/session/session.ts";
import { describePolicy, ordinaryFacts, PROJECT, verdictOf } from "../../describe-policy.ts";
import { bash, edit, read, using, write } from "../../example.ts";
import { noTampering } from "./no-tampering.ts";

const local = `${PROJECT}/.claude/settings.local.json`;
const armed: Arming = { readable: true, hooks: ["PreToolUse", "Stop"], disarms: [], strange: [], runs: [] };
/** The settings file as it is, and as the pending write would change it. */
const becoming = (after: Partial<Arming>, now: Partial<Arming> = {}) => ({
  hostSettings: [{ path: local, now: { ...armed, ...now }, after: { ...armed, ...after } }],
});

describePolicy(noTampering, ({ asks, denies, passes }) => {
  for (const command of [
    "echo {} > .claude/settings.local.json",
    "echo {} >> ./.claude/../.claude/settings.local.json",
    "cd .claude && rm settings.local.json",
    "rm -rf .claude",
    "rm -rf .cl*",
    "rm -f .claude/settings*.json",
    "mv .claude /tmp/elsewhere",
    "mv .claude/settings.local.json /tmp/x",
    "cp /dev/null .claude/settings.local.json",
    "tee .claude/settings.local.json < /dev/null",
    "truncate -s 0 .claude/settings.local.json",
    "perl -i -pe 's/hooks//' .claude/settings.local.json",
    "ln -sf /tmp/empty .claude/settings.local.json",
    "ln .claude/settings.local.json alias.json",
    "ln -s .claude/settings.local.json alias && echo > alias",
    "sudo env X=1 bash -c 'rm ~/.claude/settings.json'",
    "find . -name 'settings.local.json' -delete",
    "find .claude -type f -exec rm {} +",
    "ls .claude/settings.local.json | xargs rm",
    "dd if=/dev/zero of=.claude/settings.local.json",
    "git checkout -- .claude/settings.local.json",
    "git clean -fdx .claude",
    "install -m 600 /dev/null .claude/settings.local.json",
    `python3 -c "open('.claude/settings.local.json','w').write('{}')"`,
    `node -e "require('fs').writeFileSync('.claude/settings.local.json','{}')"`,
    `node -e "require('fs').rmSync(process.env.HOME+'/.local/state/sekisho',{recursive:true})"`,
    "python3 <<'X'\nimport os\nos.remove('.claude/settings.json')\nX",
    "rm -rf ~/.local/state/sekisho/home+dev+project",
    "rm -rf ~/.local",
    "chmod -R 000 ~/.local/state/sekisho",
    "echo x >> ~/.local/state/sekisho/home+dev+project/journal.00000001.jsonl",
    "echo 'enabled: false' > .sekisho/config.yaml",
    "mkdir -p .sekisho && cp /tmp/c.yaml .sekisho/config.yaml",
    "sed -i '' 's/a/b/' /opt/sekisho/dist/hook.cjs",
    "rm /usr/bin/node",
    "sekisho uninstall",
    "npx sekisho init --yes",
    "npx -y sekisho@latest uninstall",
    "node /opt/sekisho/dist/sekisho.cjs uninstall",
    "node /opt/sekisho/dist/cli.cjs uninstall",
    "/opt/sekisho/dist/sekisho.cjs allow m123",
    "env -u CLAUDECODE sekisho pause --for 10m",
    "script -qec 'sekisho uninstall' /dev/null",
    "sekisho audit prune",
    "sekisho doctor --fix",
    "sekisho doctor --json --integrity --accept",
    "npx sekisho doctor $FLAGS",
    "sekisho upgrade --to this",
    "sekisho upgrade",
    "sekisho $VERB",
    "echo '{}' | node /opt/sekisho/dist/sekisho.cjs hook PostToolUse",
    "npm uninstall -g sekisho",
    "npm rm sekisho",
    "pnpm remove sekisho",
    "a verb of tomorrow; sekisho grant-everything",
    // A directory as the target, a search piped to a writer, a link created on the same line
    "cp /tmp/x/settings.local.json .claude/",
    "cp -t .claude /tmp/x/settings.local.json",
    "mv /tmp/settings.local.json .claude",
    "install -m 644 /tmp/settings.json .claude",
    "rsync -a /tmp/x/ .claude/",
    "mv /tmp/x/sekisho ~/.config/",
    "find . -name 'settings*.json' -exec sed -i s/PreToolUse/x/ {} +",
    "find .claude -type f -exec truncate -s 0 {} +",
    "find ~/.local/state -name 'journal*' -exec truncate -s 0 {} +",
    "find ~/.local/state -name '*.bin' -exec cp /tmp/evil.bin {} \\;",
    "ln -s .claude x && echo '{}' > x/settings.local.json",
    "ln -s ~/.local/state y && rm -rf y/sekisho",
    "ln -s / r; echo '{}' > r/home/dev/project/.claude/settings.local.json",
    "link .claude/settings.local.json x; echo '{}' > x",
    "cp -l .claude/settings.local.json x",
    "mount --bind /tmp/x .claude",
    "echo '{}' > /dev/fd/../cwd/.claude/settings.local.json",
    // Partly known names, and lines too long to read in full
    "echo '{}' > .claude/settings.$(basename local).json",
    "rm -rf ~/.local/state/s$(basename ekisho)",
    `rm -rf ${"a ".repeat(250)} .claude ${"b ".repeat(250)}`,
    "cd .cl*; truncate -s 0 settings.local.json",
    "if true; then cd .claude; fi; echo > settings.local.json",
    "rm .c[[:alpha:]]aude/settings.json",
    "rm ?(.claude)/settings.local.json",
    // Writers that are in no table
    "ed .claude/settings.local.json",
    "vim -es .claude/settings.local.json",
    "awk -i inplace 1 .claude/settings.local.json",
    "yq -i del(.hooks) .claude/settings.local.json",
    "gzip .claude/settings.local.json",
    "gzip .claude/settings.local.json > out",
    "ed .claude/settings.local.json 2> err.log",
    "zip -m x.zip .claude/settings.local.json",
    "esbuild x.ts --outfile=/opt/sekisho/dist/hook.cjs",
    "trash .claude",
    // The program itself, and a project moved into one that has opted out
    "node /opt/sekisho/dist/sekish?.cjs uninstall",
    'node -e \'require("/opt/sekisho/dist/cli.cjs").main(["uninstall"])\'',
    "npm i -g sekisho@0.0.1",
    "npm link sekisho",
    "mkdir -p /tmp/e/.sekisho && echo 'enabled: false' > /tmp/e/.sekisho/config.yaml",
    `perl -e 'unlink glob ".claude/*"'`,
    // Subcommands that grant something, run here or passed to another program
    "sekisho allow m1 --once",
    "sekisho deny m1",
    "sekisho revoke m1",
    "sekisho pause --for 8h",
    // Reserved for people: importing trust, the stance, and files that Sekisho itself would write
    "sekisho import trust-scores.json",
    "npx sekisho import trust-scores.json --dry-run",
    "node /opt/sekisho/dist/sekisho.cjs import t.json --as trust-scores",
    "sekisho stance building",
    "sekisho accept s1",
    "sekisho export trust-scores --out .claude/settings.local.json",
    "sekisho export trust-scores --out=CLAUDE.md",
    "sekisho export $KIND",
    "sekisho save --file CLAUDE.md",
    "sekisho save --json --file=README.md",
    "node /opt/sekisho/dist/sekisho.cjs save --file x.md",
    "tmux send-keys 'sekisho import t.json' Enter",
    "tmux send-keys 'sekisho stance building' Enter",
    "tmux send-keys 'sekisho config set trust.approve true' Enter",
    "systemd-run --user sekisho trust set shell_exec 1",
    `python3 -c 'import os; os.system("sekisho import /tmp/t.json")'`,
    // Modes: the agent cannot end its mode, nor start one in another session
    "sekisho cancel",
    "sekisho cancel --all --json",
    "npx sekisho cancel",
    "node /opt/sekisho/dist/sekisho.cjs cancel",
    "env -u CLAUDECODE sekisho cancel",
    "CLAUDECODE= sekisho cancel",
    "echo cancel | xargs sekisho",
    "xargs sekisho mode <<< 'stop turbo'",
    `sh -c "sekisho cancel"`,
    `bash -c 'sekisho mode stop persistent'`,
    "sekisho mode stop persistent",
    "sekisho mode --json stop qa",
    "sekisho mode --session s1 stop qa",
    "sekisho mode -- stop turbo",
    "v=stop; sekisho mode $v turbo",
    'sekisho mode "$(echo stop)" turbo',
    "sekisho mode start turbo --session other",
    "setsid -f env -i sekisho cancel",
    "tmux send-keys 'sekisho cancel' Enter",
    "echo 'sekisho mode stop persistent' | at now",
    "systemd-run --user sekisho mode --json stop turbo",
    `python3 -c 'import os; os.system("sekisho cancel")'`,
    "sekisho undo --force",
    "npx sekisho undo mrk2x91a2q7f --force",
    "tmux send-keys 'sekisho undo --force' Enter",
    "XDG_STATE_HOME=/tmp/made-up sekisho undo",
    "export HOME=/tmp/made-up; sekisho undo",
    "sekisho resume",
    "env -u CLAUDECODE script -qec 'sekisho allow m1' /dev/null",
    "setsid -f env -i sekisho pause",
    "echo allow m1 | xargs sekisho",
    "tmux send-keys -t 0 'sekisho allow m1' Enter",
    "screen -S x -X stuff 'sekisho pause\n'",
    "xdotool type 'sekisho pause'",
    "gnome-terminal -- sekisho pause",
    "ssh localhost sekisho allow m1",
    "echo '* * * * * sekisho pause' | crontab -",
    "systemd-run --user sekisho allow m1",
    `python3 -c 'import pty; pty.spawn(["sekisho", "allow", "m1"])'`,
    `node -e 'require("child_process").execSync("sekisho pause")'`,
    `osascript -e 'tell app "Terminal" to do script "sekisho pause"'`,
    `awk 'BEGIN { system("sekisho pause") }'`,
  ]) {
    denies(command, bash(command));
  }

  for (const command of [
    "sekisho save",
    "sekisho save --json",
    "sekisho load --file notes/SESSION_STATE.md",
    "sekisho export trust-scores",
    "sekisho export trust-scores > trust-scores.json",
    "node /opt/sekisho/dist/sekisho.cjs load",
    "echo 'a person runs sekisho stance planning'",
    "sekisho mode",
    "sekisho mode list --json",
    "sekisho mode start persistent make it work and never stop",
    "node /opt/sekisho/dist/sekisho.cjs mode list",
    `git commit -m "sekisho cancel ends every mode"`,
    "gh issue create --body 'sekisho mode stop does nothing'",
    "sekisho undo",
    "sekisho undo --list --json",
    "sekisho undo mrk2x91a2q7f --dry-run",
    "cat .claude/settings.local.json",
    "jq .hooks .claude/settings.local.json",
    "cp .claude/settings.local.json /tmp/backup.json",
    "ls ~/.local/state/sekisho",
    "sekisho status --json",
    "sekisho trust history shell_exec --what-if trust.failure_decay=0.7",
    "sekisho demo",
    "sekisho audit --kind refusal",
    "sekisho audit verify",
    "sekisho doctor",
    "sekisho doctor --json --integrity --no-client",
    "sekisho statusline",
    "npx sekisho explain --last",
    "sekisho judge 'rm -rf /'",
    "grep -r sekisho . --include=*.md",
    `git commit -m "sekisho uninstall is for people"`,
    "echo 'run sekisho uninstall yourself'",
    "sekisho report m1",
    "gh pr create --body 'adds sekisho allow and sekisho pause'",
    "echo 'sekisho allow m1' | tee notes.md",
    `python3 -c "print('sekisho pause')"`,
    "rm -rf node_modules",
    "rm *.log",
    "mkdir -p ~/.local/state",
    "npm install sekisho",
    `python3 -c "print(open('.claude/settings.local.json').read())"`,
    "touch .claude/agents/reviewer.md",
    "mkdir -p .claude/commands && echo hi > .claude/commands/x.md",
    "node server.js",
    "git reset --hard",
    'rm -f "$TMPFILE"',
    'rm -rf "$TMPDIR/foo"',
    "find . -name '*.pyc' -delete",
    "find . -name __pycache__ -exec rm -rf {} +",
    "tar xzf foo.tgz",
    "unzip foo.zip",
    "cp -r template/. .",
    "rsync -a ../lib/ .",
    "chown -R me:me .",
    "cp a.txt ~/.config/",
    "ln -s ../shared/lib lib",
    "vim README.md",
    "gzip build.log",
    "find . -name '*.orig' | xargs rm",
    "git checkout -- .",
  ]) {
    passes(command, bash(command));
  }

  passes("reading our own files", read("/opt/sekisho/dist/hook.cjs"));
  denies("editing the program", edit("/opt/sekisho/dist/hook.cjs"));
  denies("writing the journal", write("/home/dev/.local/state/sekisho/home+dev+project/journal.00000001.jsonl"));
  denies("a notebook at our place", using({ kind: "notebook", name: "NotebookEdit", path: local, source: "" }));
  denies("a path through a link", write("/home/dev/project/innocent.json"), {
    targets: { "/home/dev/project/innocent.json": "/home/dev/project/.sekisho/config.yaml" },
  });

  denies(
    "a settings file by way of the home sign",
    write("~/project/.claude/settings.local.json"),
    becoming({ hooks: [] }),
  );
  const stranger = (name: string, ...words: readonly string[]) => using({ kind: "mcp", name, words });
  asks("a tool we do not know that is told of our settings", stranger("mcp__fs__write_file", local, "{}"));
  asks(
    "PowerShell that names the journal",
    using({ kind: "unknown", name: "PowerShell", words: ["Remove-Item ~/.local/state/sekisho"] }),
  );
  passes(
    "a tool we do not know that is told of anything else",
    stranger("mcp__fs__write_file", "/home/dev/project/src/a.ts"),
  );
  denies("any directory of that name", write("/tmp/e/.sekisho/config.yaml", "enabled: false"));
  asks("a command that the client runs by itself", write(local), becoming({ runs: ['statusLine {"command":"x"}'] }));
  passes("one that was there before", write(local), becoming({ runs: ["statusLine x"] }, { runs: ["statusLine x"] }));
  passes("a settings file that keeps our hooks", write(local), becoming({}));
  passes("permissions in a settings file", edit(local), becoming({ strange: [], runs: [] }));
  denies("a settings file without our hooks", write(local), becoming({ hooks: [] }));
  denies("a settings file that lost one of them", edit(local), becoming({ hooks: ["Stop"] }));
  denies("a settings file that the client could not read", write(local), becoming({ readable: false }));
  denies("a settings file that switches hooks off", edit(local), becoming({ disarms: ["disableAllHooks"] }));
  denies("a settings file with a key nobody knows", edit(local), becoming({ strange: ["novel: number"] }));
  passes(
    "a flaw that a person put there before",
    edit(local),
    becoming({ disarms: ["env.HTTP_PROXY"] }, { disarms: ["env.HTTP_PROXY"] }),
  );
});

describe("ConfigChange", () => {
  const changed = { name: "ConfigChange" as const, source: "local_settings", path: local };
  const session = {
    ...newSession(0),
    client: ordinaryFacts.session.client ?? { pid: 7, started: "1" },
    registration: { [local]: ["PreToolUse", "Stop"] },
  };
  const verdict = (now: Partial<Arming>) =>
    verdictOf(noTampering, changed, {
      session,
      hostSettings: [{ path: local, now: { ...armed, ...now }, after: armed }],
    }).decision;

  it("vetoes a change that would disarm the running session, whatever wrote it", () => {
    expect(verdict({})).toBe("pass");
    expect(verdict({ hooks: [] })).toBe("deny");
    expect(verdict({ hooks: ["PreToolUse"] })).toBe("deny");
    expect(verdict({ readable: false })).toBe("deny");
    expect(verdict({ disarms: ["disableAllHooks"] })).toBe("deny");
    expect(verdict({ strange: ["novel: object"] })).toBe("deny");
  });

  it("checks every file the session began with, under whichever path the change is reported", () => {
    const gone = [{ path: local, now: { ...armed, hooks: [] }, after: armed }];
    for (const path of ["", "/somewhere/else.json", "/link/to/project/.claude/settings.local.json"]) {
      expect(verdictOf(noTampering, { ...changed, path }, { session, hostSettings: gone }).decision).toBe("deny");
    }
    expect(verdictOf(noTampering, changed, { session, hostSettings: [] }).decision).toBe("deny");
  });

  it("cannot decide without its facts, and then keeps the old settings", () => {
    expect(verdictOf(noTampering, changed, { hostSettings: { unknown: "no permission" } }).decision).toBe("deny");
  });
});
