/** Debuggers and their files of commands, and numbers of processes that a file holds. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { operationOf } from "../../../reading/operation/operation.ts";
import { scriptsOf } from "../../../world/facts/scripts.ts";
import { HOME, ordinaryFacts, verdictOf } from "../../describe-policy.ts";
import { bash } from "../../example.ts";
import { noDestructiveCommand } from "../danger/no-destructive-command.ts";
import { noTampering } from "./no-tampering.ts";

/** The host's process is 4711. */
const FILES = {
  "attach.gdb": 'set pagination off\nattach 4711\ncall (int)system("id")\n',
  "short.gdb": "at 4711\n",
  "sources.gdb": "source attach.gdb\n",
  "parent.gdb": "python\nimport os\ngdb.execute('attach %d' % os.getppid())\nend\n",
  "unknown.gdb": 'set $pid = $_siginfo.si_pid\neval "attach %d", $pid\n',
  "attach.py": "import gdb\ngdb.execute('attach ' + open('/tmp/p').read())\n",
  "assembled.py": "import gdb\ngdb.execute('att' + open('/tmp/p').read())\n",
  "shell.gdb": "shell kill $PPID\n",
  "destroys.gdb": "shell git reset --hard\n",
  "ordinary.gdb": "break main\nrun\nbt\nprint attach_count\n",
  "other.gdb": "attach 5000\nbt\n",
  "printer.py": "import gdb\ngdb.execute('bt')\nprint(gdb.selected_inferior().pid)\n",
  "attach.lldb": "process attach -p 4711\n",
  "byname.py": "def f(debugger, *_): debugger.HandleCommand('process attach -n claude')\n",
  ".gdbinit": "attach 4711\n",
  large: `${"# filler\n".repeat(9000)}attach 4711\n`,
  "host.pid": "4711\n",
  "server.pid": "5000\n",
};

interface How {
  readonly policy?: typeof noTampering | typeof noDestructiveCommand;
  readonly age?: "new" | "old";
  readonly without?: readonly string[];
}

function judge(command: string, { policy = noTampering, age = "new", without = [".gdbinit"] }: How = {}): string {
  const root = tempDirectory("debuggers");
  for (const [name, text] of Object.entries(FILES)) if (!without.includes(name)) writeFileSync(join(root, name), text);
  const startedAt = age === "old" ? Date.now() + 60_000 : 0;
  const when = { ...bash(command), cwd: root };
  const scripts = scriptsOf(operationOf(when.tool, { cwd: root, home: HOME }), HOME, { startedAt, written: [root] });
  const session = { ...ordinaryFacts.session, client: { pid: 4711, started: "1" } };
  return verdictOf(policy, when, { scripts, session, places: { ...ordinaryFacts.places, project: root } }).decision;
}

describe("refuses to attach a debugger to the host", () => {
  it.each([
    "gdb -x attach.gdb",
    "gdb -batch --command=attach.gdb",
    "gdb -ix attach.gdb",
    "gdb -x short.gdb",
    "gdb -x sources.gdb",
    "gdb -ex 'source attach.gdb'",
    "gdb -iex 'source attach.gdb'",
    "gdb -x parent.gdb",
    "gdb -x unknown.gdb",
    "gdb -x attach.py",
    "gdb -x assembled.py",
    "gdb -x shell.gdb",
    "gdb < attach.gdb",
    "cat attach.gdb | gdb -q",
    "gdb-multiarch -x attach.gdb",
    "gdb -ex 'attach 4711'",
    "gdb -ex 'at 4711'",
    'gdb -ex "attach $X"',
    "lldb -s attach.lldb",
    "lldb -S attach.lldb",
    "lldb --source attach.lldb",
    "lldb -o 'command source attach.lldb'",
    "lldb -o 'command script import byname.py'",
    "lldb -o 'pro at -p 4711'",
    "lldb -n claude",
    "rust-gdb -p $PPID",
    "gdbserver --attach :1234 4711",
    "gdb -x <(cat attach.gdb)",
    "gdb -x /dev/stdin < attach.gdb",
    'gdb -x "$UNKNOWN" ./a.out',
    "gdb -x large",
    "echo 'attach 4711' > new.gdb; gdb -x new.gdb",
    "cp attach.gdb copy.gdb && gdb -x copy.gdb",
  ])("%s", (command) => expect(judge(command)).toBe("deny"));

  it("by the file that a debugger reads by itself", () =>
    expect(judge("gdb -iex 'set auto-load safe-path /'", { without: [] })).toBe("deny"));
});

it.each(["kill $(cat host.pid)", "kill $(< host.pid)", "xargs kill < host.pid", "cat host.pid | xargs kill"])(
  "refuses to end the host by its number in a file: %s",
  (command) => {
    expect(judge(command)).toBe("deny");
    expect(judge(command, { age: "old" })).toBe("deny");
  },
);

it.each([
  "read p < host.pid; kill $p",
  "pkill -F host.pid",
  'strace -p "$(cat host.pid)"',
  "python3 -c 'import os; os.kill(4711, 9)'",
])("refuses %s", (command) => expect(judge(command)).toBe("deny"));

describe("lets ordinary debugging pass", () => {
  it.each([
    "gdb -x ordinary.gdb ./a.out",
    "gdb -x other.gdb",
    "gdb -x printer.py ./a.out",
    "gdb -x missing.gdb ./a.out",
    "gdb -ex 'attach 5000'",
    "gdb -q <<< 'attach 5000'",
    "gdb -ex 'print attach_count' ./a.out",
    "gdb -ex 'python print(gdb.selected_inferior().pid)' ./a.out",
    "gdb --args ./a.out -n claude",
    "gdb -p $(cat server.pid)",
    "lldb -o run -o bt ./a.out",
    "lldb -n myapp",
    "kill $(cat server.pid)",
    "kill $(< server.pid)",
    "pkill -F server.pid",
    "kill $(cat missing.pid)",
    "grep filler large | xargs kill",
  ])("%s", (command) => expect(judge(command)).toBe("pass"));

  it("a file from before the session", () => expect(judge("gdb -x unknown.gdb", { age: "old" })).toBe("pass"));
});

it.each([
  "gdb -batch -x destroys.gdb",
  "gdb -ex 'python import os; os.system(\"git reset --hard\")'",
  "gdb -ex 'call (int)system(\"git reset --hard\")' ./a.out",
  "lldb -o 'script import os; os.system(\"git reset --hard\")'",
])("judges what a debugger runs in a shell: %s", (command) =>
  expect(judge(command, { policy: noDestructiveCommand })).toBe("deny"),
);
