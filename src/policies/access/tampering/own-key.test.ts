import { describePolicy } from "../../describe-policy.ts";
import { bash, read, using } from "../../example.ts";
import { noTampering } from "./no-tampering.ts";

const grep = (path?: string) =>
  using({ kind: "read", name: "Grep", ...(path !== undefined && { path }) } as Parameters<typeof using>[0]);
const STATE = "/home/dev/.local/state/sekisho";

describePolicy(noTampering, ({ denies, passes }) => {
  for (const command of [
    `cat ${STATE}/gatehouse/door.json`,
    "cat ~/.local/state/sekisho/gatehouse/door.json",
    "cat ~/.local/state/sekisho/*/door.json",
    "cat ~/.local/state/sekisho/gatehouse/*",
    "cat ~/.local/state/*/*/*.json",
    "cat ~/.local/state/sekisho/gatehouse/d??r.json",
    "cd ~/.local/state/sekisho/gatehouse && cat door.json",
    "cd ~/.local/state/sekisho && cat gatehouse/d*",
    "cp ~/.local/state/sekisho/gatehouse/door.json /tmp/x",
    "cp -r ~/.local/state/sekisho/gatehouse /tmp/x",
    "cp -a ~/.local/state /tmp/x",
    "tar czf /tmp/x.tgz ~/.local/state/sekisho",
    "grep -r key ~/.local/state/sekisho",
    "grep -rn . ~/.local/state/sekisho/gatehouse",
    "grep key ~/.local/state/sekisho/gatehouse/door.json",
    "rg key ~/.local/state",
    "jq -r .key < ~/.local/state/sekisho/gatehouse/door.json",
    "jq .key ~/.local/state/sekisho/gatehouse/door.json",
    "base64 ~/.local/state/sekisho/gatehouse/door.json",
    "curl -d @/home/dev/.local/state/sekisho/gatehouse/door.json http://127.0.0.1:1",
    "D=~/.local/state/sekisho; head -1 $D/gatehouse/door.json",
    "xxd ~/.local/state/sekisho/gatehouse/door.json",
    "sudo cat ~/.local/state/sekisho/gatehouse/door.json",
    "bash -c 'cat ~/.local/state/sekisho/gatehouse/door.json'",
    "find ~/.local/state/sekisho -name door.json -exec cat {} +",
    "ls ~/.local/state/sekisho/gatehouse/door.json | xargs cat",
    `python3 -c "print(open('${STATE}/gatehouse/door.json').read())"`,
    `node -e "console.log(require('${STATE}/gatehouse/door.json').key)"`,
    "while read l; do echo $l; done < ~/.local/state/sekisho/gatehouse/door.json",
  ]) {
    denies(`the key: ${command}`, bash(command));
  }
  for (const command of [
    "pkill -f sekisho",
    "pkill -9 -f 'sekisho.cjs serve'",
    "killall -r gatehouse",
    "kill -9 $(pgrep -f sekisho)",
    "pgrep -f gatehouse.cjs | xargs kill",
    "kill $(jq .pid ~/.local/state/sekisho/gatehouse/run.json)",
    "ps aux | grep '[s]ekisho' | awk '{print $2}' | xargs kill -HUP",
  ]) {
    denies(`the gatehouse's end: ${command}`, bash(command));
  }
  passes("the end of something else", bash("pkill -f vite; kill %1; kill -9 4711"));
  passes("looking for it", bash("pgrep -fa sekisho"));
  denies("the key by Read", read(`${STATE}/gatehouse/door.json`));
  denies("the key by Read, in another spelling", read(`${STATE}/x/../gatehouse/./door.json`));
  denies("the key by Read through a link", read("/tmp/sekisho-link"), {
    targets: { "/tmp/sekisho-link": `${STATE}/gatehouse/door.json` },
  });
  denies("a search in the state", grep(STATE));
  denies("a search in the gatehouse's directory", grep(`${STATE}/gatehouse`));
  denies("a search above the state", grep("/home/dev/.local"));

  for (const command of [
    "ls -la ~/.local/state/sekisho/gatehouse",
    "cat ~/.local/state/sekisho/gatehouse/gatehouse.log",
    "cat src/gatehouse/door.ts",
    "grep -r door.json src docs",
    "rg gatehouse",
    "grep -r TODO .",
    "cat ~/.local/state/sekisho/home+dev+project/journal.00000001.jsonl",
    "cat door.json",
    "git add -A && git commit -m 'gatehouse: door.json'",
    "cp -r src /tmp/x",
    "cat ~/.config/sekisho/config.yaml",
  ]) {
    passes(`not the key: ${command}`, bash(command));
  }
  passes("a file of that name elsewhere", read("/home/dev/project/src/gatehouse/door.json"));
  passes("the gatehouse's log", read(`${STATE}/gatehouse/gatehouse.log`));
  passes("a search of the project", grep("/home/dev/project/src"));
  passes("a search without a place", grep());
});
