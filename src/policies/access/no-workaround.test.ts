import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { answer, type ExampleHall } from "../../app/example-hall.ts";
import { HOST, hosts } from "../../hosts/index.ts";
import { definePolicy, deny, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { REFUSED_MAX } from "../../state/session/refused.ts";
import type { SessionChange } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { memoryStore } from "../../store/memory.ts";
import { processAt } from "../../world/machine/caller.ts";
import { ordinaryFacts } from "../describe-policy.ts";
import { policies } from "../index.ts";

const word = text("It is kept as it is.", "そのまま保ちます。");
let isKept = true;

/** Stands for any policy that judges effects: denies writing `kept.txt` while `isKept`. */
const noKept = definePolicy({
  id: "no-kept",
  on: ["PreToolUse"],
  needs: ["targets"],
  why: word,
  applies: (_, operation) => operation.effects.some(({ kind }) => kind !== "read"),
  check: ({ operation, facts }) =>
    isKept &&
    operation.effects.some(
      ({ kind, path }) => (kind === "write" || kind === "delete") && /\/kept\.txt$/.test(facts.targets[path] ?? path),
    )
      ? deny({ what: word, fix: word })
      : pass,
  examples: [],
});

interface Day {
  readonly root: string;
  readonly store: ReturnType<typeof memoryStore>;
  settings: Settings;
  write(path: string, content: string): void;
  use(tool: string, input: object): { readonly said: string; readonly policies: readonly string[] };
  bash(command: string): ReturnType<Day["use"]>;
  edit(path?: string): ReturnType<Day["use"]>;
}

/** A session in a project on disk, with all policies plus `noKept`. */
function day(began = Date.now() - 600_000): Day {
  isKept = true;
  const root = tempDirectory("around");
  const store = memoryStore();
  let calls = 0;
  const day: Day = {
    root,
    store,
    settings: defaultSettings,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    use(tool_name, tool_input) {
      calls += 1;
      const hall: ExampleHall = {
        host: hosts[HOST],
        // `require-trust` would add refusals of its own.
        policiesOn: () => [...policies.filter(({ id }) => id !== "require-trust"), noKept],
        env: { CLAUDE_PID: String(process.ppid), LANG: "C.UTF-8" },
        parentOf: () => processAt(process.ppid),
        clock: () => began + calls * 60_000,
        deadline: Number.POSITIVE_INFINITY,
        placesOf: () => ({ ...ordinaryFacts.places, project: root, config: [`${root}/.sekisho`], hostSettings: [] }),
        settingsOf: () => ({ settings: day.settings, problems: [], custom: [] }),
        storeOf: () => store,
        run: () => ({ failed: "no program runs in this test" }),
        copy: () => ({ is: "empty" }),
        armingOf: () => ({ readable: true, hooks: [], disarms: [], strange: [], runs: [] }),
        digest: (words) => `d${words.length}${words.slice(-40)}`,
      };
      const body = {
        session_id: "s-1",
        cwd: root,
        hook_event_name: "PreToolUse",
        tool_name,
        tool_input,
        tool_use_id: `t-${calls}`,
      };
      const { stderr } = answer({ body: JSON.stringify(body), env: hall.env }, hall);
      const record = [...store.records()].at(-1);
      const objections = record?.kind === "verdict" ? (record.objections ?? []) : [];
      return { said: stderr, policies: objections.map(({ policy }) => policy) };
    },
    bash: (command) => day.use("Bash", { command }),
    edit: (path = "src/kept.txt") => day.use("Edit", { file_path: join(root, path), old_string: "a", new_string: "b" }),
  };
  day.write("src/kept.txt", "a\n");
  // Begins the session.
  day.bash("true");
  return day;
}

function refusedDay(began?: number): Day {
  const begun = day(began);
  expect(begun.edit().policies).toEqual(["no-kept"]);
  return begun;
}

it("a refused path that holds a token is recognised, and the token is kept nowhere", () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const begun = day();
  begun.write(`${token}/kept.txt`, "a\n");
  expect(begun.edit(`${token}/kept.txt`).policies).toEqual(["no-kept"]);
  const around = begun.bash(`python3 -c "open('${token}/kept.txt','w').write('b')"`);
  expect(around.policies).toEqual(["no-workaround"]);
  expect(JSON.stringify([...begun.store.records()])).not.toContain(token);
  expect(begun.bash(`python3 -c "open('${token}/other.txt','w').write('b')"`).policies).toEqual([]);
});

const AROUND: readonly (readonly [string, string])[] = [
  ["sed", "sed -i s/a/b/ src/kept.txt"],
  ["a redirection", "echo b > src/kept.txt"],
  ["a heredoc", "cat > src/kept.txt <<'E'\nb\nE"],
  ["tee", "echo b | sudo tee src/kept.txt"],
  ["cp", "cp /tmp/x src/kept.txt"],
  ["mv back", "mv /tmp/x src/kept.txt"],
  ["dd", "dd if=/tmp/x of=src/kept.txt"],
  ["perl in place", "perl -pi -e s/a/b/ src/kept.txt"],
  ["python", "python3 -c \"open('src/kept.txt','w').write('b')\""],
  ["python in pieces", "python3 -c \"import os;open(os.path.join('src','kept.txt'),'w').write('b')\""],
  ["python in the directory", "cd src && python3 -c \"open('kept.txt','w').write('b')\""],
  ["a program on its input", "python3 - <<'E'\nfrom pathlib import Path\nPath('src/kept.txt').write_text('b')\nE"],
  ["node", "node -e \"require('fs').writeFileSync('./src/kept.txt','b')\""],
  ["ruby", "ruby -e \"File.write('src/kept.txt','b')\""],
  ["ed", "printf '1s/a/b/\\nw\\n' | ed -s src/kept.txt"],
  ["ed with its words kept", "ed -s src/kept.txt < cmds > log"],
  ["ex", "ex -sc '%s/a/b/|x' src/kept.txt"],
  ["vim", "vim -c '%s/a/b/' -c wq src/kept.txt"],
  ["awk in place", "awk -i inplace '{print}' src/kept.txt"],
  ["a formatter that writes", "npx prettier --write src/kept.txt"],
  ["git checkout", "git checkout HEAD~1 src/kept.txt"],
  ["git restore", "git restore --source=HEAD~1 src/kept.txt"],
  ["git mv", "git mv other src/kept.txt"],
  ["git apply on the line", "git apply <<'E'\n--- a/src/kept.txt\n+++ b/src/kept.txt\n@@ -1 +1 @@\n-a\n+b\nE"],
  ["patch", "patch -p1 <<'E'\n--- a/src/kept.txt\n+++ b/src/kept.txt\n@@ -1 +1 @@\n-a\n+b\nE"],
  ["a link", "ln -s $PWD/src/kept.txt /tmp/l; ln -s src/kept.txt l"],
  ["inside a shell", "bash -c 'sed -i s/a/b/ src/kept.txt'"],
  ["what cannot be read", "sed -i s/a/b/ src/kept.txt 'unterminated"],
  ["truncate", "truncate -s 0 src/kept.txt"],
  ["rm", "rm src/kept.txt"],
];

describe("an effect refused as an Edit is refused by every other way, and the refusal names the Edit", () => {
  it.each(AROUND)("%s", (_, command) => {
    const { bash } = refusedDay();
    const { said, policies: objectors } = bash(command);
    expect(objectors).toContain("no-workaround");
    expect(said).toMatch(/Edit on \S+src\/kept\.txt was refused 1 min ago \(no-kept, \w+\)/);
  });

  it("an unknown tool is judged by its name", () => {
    const { root, use } = refusedDay();
    const on = (tool: string) => use(tool, { path: join(root, "src/kept.txt"), content: "b" }).policies;
    expect(on("mcp__fs__write_file")).toEqual(["no-workaround"]);
    expect(on("mcp__fs__read_file")).toEqual([]);
    expect(on("mcp__notes__magic")).toEqual(["no-workaround"]);
  });

  it("a subagent is part of the same session", () => {
    const { root, use, store } = refusedDay();
    expect(use("Write", { file_path: join(root, "src/kept.txt"), content: "b" }).policies).toEqual([
      "no-kept",
      "no-workaround",
    ]);
    expect(store.read()).toMatchObject({ objections: { "no-workaround": 1, "no-kept": 2 } });
  });
});

describe("a script written now and run later is refused", () => {
  it.each([
    ["x.sh", "sed -i s/a/b/ src/kept.txt\n", "sh x.sh"],
    ["x.sh", "#!/bin/sh\nf=kept.txt\ncd src && echo b > $f\n", "chmod +x x.sh && ./x.sh"],
    ["x.sh", 'echo b > "$1"\n', "sh x.sh src/kept.txt"],
    ["x.py", "from pathlib import Path\nPath('src/kept.txt').write_text('b')\n", "python3 x.py"],
    ["x.py", "import sys\nopen(sys.argv[1], 'w').write('b')\n", "python3 x.py src/kept.txt"],
    ["x.js", "require('fs').appendFileSync(__dirname + '/src/kept.txt', 'b')\n", "node x.js"],
    ["x.patch", "--- a/src/kept.txt\n+++ b/src/kept.txt\n@@ -1 +1 @@\n-a\n+b\n", "git apply x.patch"],
    ["Makefile", "all:\n\techo b > src/kept.txt\n", "make"],
    ["package.json", '{"scripts":{"x":"echo b > src/kept.txt"}}', "npm run x"],
  ])("%s: %s", (file, content, command) => {
    const { root, use, bash, write } = refusedDay();
    // Writing the script is only text.
    expect(use("Write", { file_path: join(root, file), content }).policies).toEqual([]);
    write(file, content);
    expect(bash(command).policies).toContain("no-workaround");
  });

  it("under another name", () => {
    const { bash, write } = refusedDay();
    write("y.sh", "tee src/kept.txt < /dev/null\n");
    expect(bash("mv x.sh y.sh").policies).toEqual([]);
    expect(bash("bash y.sh").policies).toContain("no-workaround");
  });

  it("a project script older than the session passes, since it may be the intended way", () => {
    const generate = "open('src/kept.txt', 'w').write('b')\n";
    const [now, later] = [refusedDay(), refusedDay(Date.now() + 600_000)];
    for (const { write } of [now, later]) write("generate.py", generate);
    expect(now.bash("python3 generate.py").policies).toEqual(["no-workaround"]);
    expect(later.bash("python3 generate.py").policies).toEqual([]);
  });
});

describe("commands that only read or concern other files pass", () => {
  it.each([
    "cat src/kept.txt",
    "grep a src/kept.txt | head -3",
    "git diff src/kept.txt",
    "git log --oneline -- src/kept.txt",
    "git add src/kept.txt && git commit -m 'about src/kept.txt'",
    "cp src/kept.txt /tmp/copy.txt && sed -i s/a/b/ /tmp/copy.txt",
    "python3 -c \"print(open('src/kept.txt').read())\"",
    "npx eslint src/kept.txt",
    "npx tsc --noEmit && npx vitest run src/kept.txt",
    "wc -l src/kept.txt",
    "sed -n 1,5p src/kept.txt",
    "python3 -c \"open('src/other.txt','w').write('b')\"",
    "python3 -c \"open('other/kept.txt.bak','w').write('b')\"",
    "echo 'do not touch src/kept.txt' > notes.md",
    "node build.js",
    "npm test",
    "sed -i s/a/b/ src/other.txt",
  ])("%s", (command) => {
    expect(refusedDay().bash(command).policies).toEqual([]);
  });

  it("the policy is never the first to object", () => {
    for (const [, command] of AROUND) expect(day().bash(command).policies, command).not.toContain("no-workaround");
  });

  it("other parts of a refused line do not count as refused", () => {
    const { bash } = day();
    expect(bash("echo x > out.log; cat > src/kept.txt < out.log").policies).toEqual(["no-kept"]);
    expect(bash("python3 -c \"open('out.log','w').write('b')\"").policies).toEqual([]);
    expect(bash("python3 -c \"open('src/kept.txt','w').write('b')\"").policies).toEqual(["no-workaround"]);
  });
});

const PYTHON = "python3 -c \"open('src/kept.txt','w').write('b')\"";

describe("a refusal ends with its cause", () => {
  it("when the policy would pass it now", () => {
    const { bash } = refusedDay();
    expect(bash(PYTHON).policies).toEqual(["no-workaround"]);
    isKept = false;
    expect(bash("sed -i s/a/b/ src/other.txt; true").policies).toEqual([]);
    expect(bash("sed -i s/a/b/ src/kept.txt").policies).toEqual([]);
    isKept = true;
    expect(bash(PYTHON).policies, "what was let through is forgotten").toEqual([]);
  });

  it("when a person switches the policy off", () => {
    const here = refusedDay();
    here.settings = { ...defaultSettings, policies: { "no-kept": "off" } };
    expect(here.bash(PYTHON).policies).toEqual([]);
  });

  it("when a person allows the first call or this one", () => {
    const first = refusedDay();
    const id = [...first.store.records()].at(-1)?.rid ?? "";
    const grant = { effect: "e", policies: ["no-kept"], once: true, at: 0, until: Date.now() + 3_600_000, what: "x" };
    first.store.append(
      { kind: "action", action: "allow", changes: [{ record: "grant", do: "give", id, grant }] },
      Date.now(),
    );
    expect(first.bash(PYTHON).policies).toEqual([]);

    const second = refusedDay();
    second.bash(PYTHON);
    const record = [...second.store.records()].at(-1);
    const effect = record?.kind === "verdict" ? (record.effect ?? "") : "";
    const other = { ...grant, effect, policies: ["no-workaround"], at: Date.now() - 3_600_000 };
    second.store.append(
      {
        kind: "action",
        action: "allow",
        changes: [{ record: "grant", do: "give", id: record?.rid ?? "", grant: other }],
      },
      Date.now(),
    );
    expect(second.bash(PYTHON).policies).toEqual([]);
  });

  it("when another process takes up the session, not when its end is only reported", () => {
    const { bash, store } = refusedDay();
    const add = (event: "SessionEnd" | "SessionStart", change: SessionChange): unknown =>
      store.append({ kind: "verdict", event, session: "s-1", decision: "pass", changes: [change] }, Date.now());
    add("SessionEnd", { record: "session", do: "end" });
    expect(bash(PYTHON).policies).toEqual(["no-workaround"]);
    add("SessionStart", { record: "session", do: "begin", client: { pid: 99, started: "9" }, registration: {} });
    expect(bash(PYTHON).policies).toEqual([]);
  });
});

describe("commands without a path, and the floor", () => {
  it("a refused command is recognized in a script, a program or a shell", () => {
    const { bash, write } = day();
    bash("git reset --hard");
    write("x.sh", "git reset --hard\n");
    for (const command of [
      "sh x.sh",
      "sh -c 'git reset --hard'",
      "python3 -c \"import os; os.system('git reset --hard')\"",
    ])
      expect(new Set(bash(command).policies), command).toEqual(new Set(["no-destructive-command", "no-workaround"]));
    expect(bash("git reset --hard").policies).toEqual(["no-destructive-command"]);
  });

  it("an objection that follows a floor refusal is floor too", () => {
    const { bash, store } = day();
    expect(bash("echo x > .sekisho/config.yaml").policies).toEqual(["no-tampering"]);
    bash("ex -sc x .sekisho/config.yaml");
    const record = [...store.records()].at(-1);
    const objections = record?.kind === "verdict" ? (record.objections ?? []) : [];
    expect(objections.map(({ policy, floor }) => [policy, floor])).toContainEqual(["no-workaround", true]);
  });

  it("after a refusal about a whole directory, ordinary work below it passes", () => {
    const { root, bash, use } = day();
    for (const command of ["rm -rf /", "rm -rf ~", `rm -rf ${root}`]) expect(bash(command).policies).not.toEqual([]);
    for (const command of [
      `python3 -c "open('${root}/a.txt','w').write('b')"`,
      `python3 -c "import shutil; shutil.rmtree('${root}/build')"`,
      "python3 -c \"open('/tmp/x','w').write('rm -rf')\"",
      `mytool ${root}/src/kept.txt ~/project/x /`,
      `df / && mytool ${root}`,
      "rm -rf build && mkdir build",
    ])
      expect(bash(command).policies, command).toEqual([]);
    expect(use("mcp__fs__write_file", { path: join(root, "a.txt") }).policies).toEqual([]);
    expect(bash(`python3 -c "import shutil; shutil.rmtree('${root}')"`).policies).toContain("no-workaround");
    expect(bash("find ~ -delete").policies).toContain("no-workaround");
  });

  it("the list of refusals is bounded, and so is its record", () => {
    const { root, use, store } = day();
    for (let n = 0; n < REFUSED_MAX + 10; n += 1)
      use("Write", { file_path: join(root, `${"d".repeat(150)}${n}/kept.txt`), content: "" });
    const state = store.read();
    const { refused = [] } = ("sessions" in state && state.sessions["s-1"]) || {};
    expect(refused.length).toBe(REFUSED_MAX);
    expect(refused.at(-1)?.what).toContain(`${REFUSED_MAX + 9}/kept.txt`);
    for (const record of store.records()) expect(JSON.stringify(record).length).toBeLessThanOrEqual(2048);
  });
});

describe("known limits (docs/limits.md)", () => {
  it.each(["python3 -c \"open('src/ke'+'pt.txt','w').write('b')\"", "git stash", "tar xf archive.tar"])(
    "the command does not name the path and passes: %s",
    (command) => {
      expect(refusedDay().bash(command).policies).toEqual([]);
    },
  );
});
