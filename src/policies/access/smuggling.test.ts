/** Ways to reach our own files by a partial or different name. */
import { describePolicy } from "../describe-policy.ts";
import { bash } from "../example.ts";
import { noTampering } from "./tampering/no-tampering.ts";

describePolicy(noTampering, ({ denies, passes }) => {
  for (const command of [
    // A pattern for the directory, and a name below it
    "echo 'enabled: false' > .s*/config.yaml",
    "sed -i s/true/false/ .sek*/config.yaml",
    "echo 'enabled: false' | tee .s?kisho/config.yaml",
    "cp /tmp/x .[s]ekisho/config.yaml",
    "rm -rf ~/.local/state/s*/home+dev+project",
    "cp /tmp/x /opt/sekisho/d*/cli.cjs",
    // The directory by an open file descriptor
    "exec 3<.claude; echo {} > /dev/fd/3/settings.local.json",
    "exec 3<.claude; cp /tmp/x /proc/self/fd/3/settings.local.json",
    "exec 3<$D; echo 'enabled: false' > /dev/fd/3/config.yaml",
    "echo {} > /proc/self/task/12/cwd/.claude/settings.local.json",
    // Git as the writer
    "git clone /tmp/evil .sekisho",
    "git worktree add .sekisho evil",
    "git -C /tmp/x worktree move y /home/dev/project/.sekisho",
    "git submodule add /tmp/evil .sekisho",
    "git checkout-index -f .sekisho/config.yaml",
    "git update-index --add --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,.sekisho/config.yaml",
    // A patch on the line itself
    "git apply <<'X'\n--- /dev/null\n+++ b/.sekisho/config.yaml\n@@ -0,0 +1 @@\n+enabled: false\nX",
    "patch -p1 <<'X'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{}\n+{ }\nX",
    "printf '+++ b/.sekisho/config.yaml' | git am",
  ])
    denies(command, bash(command));

  for (const command of [
    "rm -rf */dist",
    "sed -i s/a/b/ packages/*/package.json",
    "echo x > /dev/fd/3",
    "git clone https://example.com/sekisho-themes.git themes",
    "git worktree add ../feature",
    "git submodule update --init",
    "git apply <<'X'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\nX",
    "git diff -- .sekisho/config.yaml",
    "git log --oneline -- .claude",
  ])
    passes(command, bash(command));
});
