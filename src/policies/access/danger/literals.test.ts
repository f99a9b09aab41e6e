/** Text handed to programs that may run it, and text handed to programs that keep or show it. */
import { describePolicy } from "../../describe-policy.ts";
import { bash, using } from "../../example.ts";
import { noDestructiveCommand } from "./no-destructive-command.ts";

const field = (tool: string, name: string, text: string) =>
  using({ kind: "mcp", name: tool, words: [], fields: [{ name, text }] });

describePolicy(noDestructiveCommand, ({ denies, asks, passes }) => {
  for (const command of [
    "some-runner 'rm -rf ~'",
    "some-runner --hook='rm -rf ~; true'",
    "some-runner -- rm -rf /home/dev",
    "some-runner eval '(shell \"rm -rf /home/dev\")'",
    'some-runner \'{"command":"rm -rf ~"}\'',
    "some-runner <<< $'all:\\n\\trm -rf ~'",
    "some-tool remove -f /home/dev",
    "some-rm -r ~",
    "some-builder -f /dev/stdin <<< '<delete dir=\"/home/dev\"/>'",
    "cat > /tmp/x.lang <<'E'\nremove_dir_all(\"/home/dev\")\nE\nsome-compiler /tmp/x.lang",
    "python3 -c \"import os; getattr(os,'system')('rm -rf ~')\"",
    "python3 -m timeit -n1 \"import shutil; shutil.rmtree('/home/dev')\"",
    "julia -e 'rm(homedir(); recursive=true)'",
    'node -pe \'require("child_process").execSync("rm -rf ~")\'',
    "rsync -a --remove-source-files ~/ /tmp/x/",
    "7z a -sdel /tmp/x.7z ~",
    "ln -s .git g && rm -rf g/objects",
    "find .git -name '*.pack' -delete",
    "m4 <<< 'syscmd(`rm -rf /`)'",
    "ftp '|rm -rf /'",
  ])
    denies(command, bash(command));

  for (const command of [
    "some-runner 'git push --force origin main'",
    "some-runner -e 'connection.run(\"DROP TABLE users\")'",
    "python3 -c \"import os\nfor d, _, fs in os.walk('/home/dev'):\n  [os.unlink(f) for f in fs]\"",
    "python3 -c 'c.execute(text(\"DELETE FROM users\"))'",
    "echo flush_all | nc localhost 11211",
    "./own-script 'rm -rf ~'",
    "git diff HEAD | git apply -R",
    "git archive HEAD | tar x",
    "git ls-files -z | xargs -0 truncate -s 0",
    "sed -i d $(git ls-files)",
    "git push https://x.example/y.git HEAD",
    "git fetch origin +main:main",
    "gh api -X PUT repos/o/r/pulls/1/merge",
    "gh api repos/o/r/collaborators/x -X PUT -f permission=admin",
    "gh workflow run publish.yml",
    "kubectl exec deploy/api -- sh -c 'rm -rf /data/*'",
    "fly ssh console -C 'rm -rf /data'",
    "GIT_CONFIG_GLOBAL=$HOME/x git status; redis-cli eval 'redis.call(\"FLUSHALL\")' 0",
  ])
    asks(command, bash(command));

  for (const command of [
    "some-runner 'rm -rf build'",
    "git commit -m 'never run rm -rf ~'",
    "gh pr create --title 'Refuse rm -rf ~' --body 'DROP TABLE users'",
    "notify-send 'rm -rf ~'",
    "grep -rn 'rm -rf ~' docs",
    "jq '.command == \"rm -rf ~\"' x.json",
    "some-tracker create 'Delete the home page'",
    "python3 -c \"print('a policy refuses rm -rf /')\"",
    'python3 -c \'d = {}; d.pop("/"); app.delete("/")\'',
    "node -e 'routes.delete(\"/\")'",
    "go run . delete x",
    "some-builder clean -C /home/dev/project",
    "sed -i 's/a/b/' $(git ls-files)",
    "git show HEAD~1 | git apply -R",
    "tar xf a.tgz",
    "gh api repos/o/r/pulls/comments/1 -X PATCH -f body=x",
    "gh workflow run ci.yml",
    "kubectl exec deploy/api -- ls /data",
  ])
    passes(command, bash(command));

  denies("a command in a field of another tool", field("mcp__term__run", "command", "rm -rf ~"));
  denies("a statement for a database tool", field("mcp__pg__query", "sql", "DROP TABLE users"));
  denies("a path for a tool that deletes", field("mcp__fs__delete_file", "path", "/home/dev/project/.git"));
  denies("a program", field("mcp__py__run", "code", "import shutil; shutil.rmtree('/home/dev')"));
  denies(
    "PowerShell",
    using({
      kind: "unknown",
      name: "PowerShell",
      words: [],
      fields: [{ name: "command", text: "Remove-Item -Recurse -Force ~" }],
    }),
  );
  passes("prose in another tool", field("mcp__forge__create_issue", "body", "run rm -rf ~; DROP TABLE users"));
  passes("a path for a tool that reads", field("mcp__fs__read_file", "path", "/home/dev"));
  passes("a search in a database tool", field("mcp__pg__query", "sql", "SELECT 1"));
  passes("a text that is no shell", field("mcp__browser__evaluate", "function", "() => { if (a) { b(); }"));
});
