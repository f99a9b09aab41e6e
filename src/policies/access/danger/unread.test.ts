// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell text.
/** Text that runs unread, and lines too large to read. */
import { describe, expect, it } from "vitest";
import { describePolicy, verdictOf } from "../../describe-policy.ts";
import { bash } from "../../example.ts";
import { noDestructiveCommand } from "./no-destructive-command.ts";

describePolicy(noDestructiveCommand, ({ denies, asks, passes }) => {
  for (const command of [
    // Unknown content
    'source "$FILE"',
    'bash "$FILE"',
    "$COMMAND",
    "xargs python3",
    "xargs -I{} node -e 'f(\"{}\")'",
    "xargs ruby -e 'puts 1'",
    "xargs find . -name '*.ts'",
    "parallel awk -f {}",
    "xargs sh -c 'exec \"$1\"' _",
    // Encoded, only to run
    "base64 -d a | bash",
    'sudo sh -c "$(base64 -d <<< aGVsbG8=)"',
    "gzip -dc a.gz | sh",
    'echo "git reset --hard" > f; eval "$(< f)"',
    "openssl enc -d -a -in a | sh",
    // Other forms of backquotes
    "perl -e 'qx{rm -rf /}'",
    "ruby -e '%x(rm -rf /)'",
    // No source for the input on the line
    "xargs -I{} git reset {}",
    "xargs -I{} git {} origin",
    "cat | xargs -I{} git reset {}",
    "parallel {} -v",
    'xargs eval "$A"',
    "awk '{ system($1) }'",
    // In a directory that every user can write to
    "LD_PRELOAD=/tmp/a.so ./run",
    "BASH_ENV=/tmp/a.sh bash -c true",
    "NODE_OPTIONS='--require /tmp/a.js' npm test",
    "PYTHONPATH=/tmp/a python3 -c 'import b'",
    // A check that is disabled
    "powershell -ExecutionPolicy Bypass -File a.ps1",
    // A replacement mark that occurs nowhere is a typo
    "echo / | xargs -i rm -rf",
    // A disguised name
    "command c$(printf url) x.example",
    "sudo $(echo dd) if=a of=b",
    "l''s",
    "l\u200bs",
  ])
    denies(command, bash(command));

  for (const command of [
    // The content can be read first
    "cat a.sh | bash",
    'eval "$(< a.sh)"',
    'sh -c "$(<a.sh)"',
    "$(< a.txt)",
    'text=$(<a.sh); eval "$text"',
    "rm -rf $(< list)",
    'eval "$(sh get.sh)"',
    'while read -r f; do bash "$f"; done < list',
    'ssh host "$REMOTE"',
    // A file that is loaded
    "LD_PRELOAD=./a.so ./run",
    "BASH_ENV=ci/a.sh bash -c true",
    "NODE_OPTIONS='--require ./a.js' npm test",
    "git -c core.hooksPath=/tmp/hooks commit -m x",
    "git --exec-path=/tmp/a status",
    // Known setup commands, with additions
    'PATH=/tmp/a eval "$(ssh-agent -s)"',
    'eval "$(PATH=/tmp/a ssh-agent -s)"',
    'eval "$(ssh-agent -s)" extra',
    'eval "$(ssh-agent -s > agent.env)"',
    // A shell that replaces this one
    "exec bash",
    "cat a | (exec sh)",
    "$0 -c 'run it'",
    // An unknown tool with an argument or input that would be denied on its own
    "tool <<'E'\ngit reset --hard\nE",
    "command -v git reset --hard",
    // Not a command name
    "Warning: it failed",
    "Command output:\nls",
    "D:\\tools\\run.bat x",
    "git^hub x",
    "sed 's/.*/x/e' a",
  ])
    asks(command, bash(command));

  for (const command of [
    "cmd=$(which node); $cmd x",
    'git commit -m "$(< message.txt)"',
    "npm version $(<VERSION)",
    "< in.txt > out.txt",
    'NODE=$(command -v node) && "$NODE" --version',
    "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
    "PYTHONPATH=src pytest -q",
    "EDITOR=true git rebase --continue",
    "GIT_PAGER=cat git log -3",
    "GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy -o IdentitiesOnly=yes' git fetch",
    "PAGER='less -R' git diff",
    "tar -I 'zstd -19' -cf a.tar.zst src",
    "rsync -e 'ssh -p 2222' -av src/ host:src/",
    "sed -n '1,5p;/end/q' a",
    "sed -i.bak -e 's/a/b/g' -e '/x/d' a",
    "git ls-files '*.py' | xargs python3 -m py_compile",
    "find . -name '*.rb' | xargs -n1 ruby -c",
    "git diff --name-only | xargs -I{} sh -c 'echo {}'",
    'for f in scripts/*.sh; do bash -n "$f"; done',
    "find . -name '*.bak' | while read -r f; do rm \"$f\"; done",
    'eval "$(direnv hook bash)"',
    "source <(kubectl completion bash)",
    'run() { "$@"; }; run npm test',
    "exec 3>build.log; make >&3",
    "awk -F: '{ print $1 > \"out.txt\" }' a",
    "make -j4 test",
    '"$VENV/bin/python" -m pytest',
    '"$(npm bin)/eslint" src',
    "vim -c ':%s/a/b/g' -c wq a",
    'a=(npm test); "${a[@]}"',
    "fd -e ts -x prettier --check",
    // Other guards decide differently here: docs/limits.md
    "eval 'npm test'",
    "echo 'make test' | bash",
    "parallel bash -c ::: 'echo hi'",
    "find . -name '*.log' -exec rm -rf {} \\;",
    "custom <<'E'\nnever run git reset --hard\nE",
    "exec node server.js",
    "exec bash -c 'npm start'",
    "command -v git",
    "std::log hello",
  ])
    passes(command, bash(command));
});

describe("a line too large to read is never passed", () => {
  const safe = "echo a";
  it.each<[string, string]>([
    ["2 MB of padding", `${safe} ${"a".repeat(2_000_000)}`],
    ["2 MB of blanks before what matters", `${safe};${" ".repeat(2_000_000)}rm -rf /`],
    ["600 nested substitutions", `${"$(".repeat(600)}${safe}${")".repeat(600)}`],
    ["600 nested backquotes and groups", `${"(".repeat(600)}${safe}${")".repeat(600)}`],
    ["5,000 segments", `${safe}${`;${safe}`.repeat(5_000)}`],
    ["5,000 segments by &&", `${safe}${` && ${safe}`.repeat(5_000)}`],
    ["5,000 pipes", `${safe}${" | cat".repeat(5_000)}`],
    ["5,000 words of one variable", `x=a; ${"x=$x$x;".repeat(30)} ${"echo $x;".repeat(500)}`],
  ])("%s", (_, command) => {
    expect(verdictOf(noDestructiveCommand, bash(command)).decision).not.toBe("pass");
  });

  it("a denied command at the end of such a line is denied", () => {
    for (const padding of [`${safe};`.repeat(5_000), `: ${"a".repeat(2_000_000)};`])
      expect(verdictOf(noDestructiveCommand, bash(`${padding}rm -rf /`)).decision).toBe("deny");
  });
});
