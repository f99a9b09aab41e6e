/**
 * A day of ordinary work in three kinds of projects, headless and in a terminal: nothing is refused, and at most one
 * question is asked. `pytest` and `cargo` are small stand-ins outside the project, because the tools are not on every
 * machine.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bash, type Step, use } from "./scripted-model.ts";
import { laneOfRun, openStage, type Stage } from "./stage.ts";
import { hasTerminal, sit } from "./terminal.ts";

interface Day {
  readonly files: Readonly<Record<string, string>>;
  /** Before the edit, after it, and after the commit. */
  readonly morning: readonly string[];
  readonly edit: { readonly file: string; readonly from: string; readonly to: string };
  readonly noon: readonly string[];
  readonly evening: readonly string[];
}

const IGNORED = ".claude/\nnode_modules/\n__pycache__/\nbuild/\ntarget/\n";
const SCRIPT = "#!/bin/sh\necho hello from the script\n";

const DAYS: Readonly<Record<string, Day>> = {
  node: {
    files: {
      "package.json": '{"name":"shop","version":"1.0.0","scripts":{"test":"node --test"}}\n',
      "src/greet.js": 'exports.greet = () => "hello";\n',
      "test/greet.test.js":
        'require("node:test")("greets", () => require("node:assert").match(require("../src/greet.js").greet(), /hello/));\n',
      "vendor/pad/package.json": '{"name":"pad","version":"1.0.0"}\n',
    },
    morning: [
      "npm install --offline --no-audit --no-fund ./vendor/pad",
      "npm ls --depth=0",
      "node -e 'console.log(require(\"./package.json\").name)'",
    ],
    edit: { file: "src/greet.js", from: '"hello"', to: '"hello world"' },
    noon: ["npm test 2>&1 | tail -20", "mkdir -p build && cp src/greet.js build/ && ls build", "rm -rf build"],
    evening: ["rm -rf node_modules && npm install --offline --no-audit --no-fund"],
  },
  python: {
    files: {
      "pyproject.toml":
        '[project]\nname = "shop"\nversion = "1.0.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
      "shop/__init__.py": "",
      "shop/greet.py": 'def greet():\n    return "hello"\n',
      "tests/__init__.py": "",
      "tests/test_greet.py":
        "import unittest\nfrom shop.greet import greet\n\n\nclass Greet(unittest.TestCase):\n    def test_greets(self):\n        self.assertIn('hello', greet())\n",
    },
    morning: [
      "python3 --version",
      "python3 -m venv --without-pip build/venv && ls build/venv/bin",
      "python3 -c 'from shop.greet import greet; print(greet())'",
    ],
    edit: { file: "shop/greet.py", from: '"hello"', to: '"hello world"' },
    noon: ["pytest -q 2>&1 | tail -5", "python3 -m compileall -q shop", "rm -rf build shop/__pycache__"],
    evening: ["find . -name '__pycache__' -type d -prune -exec rm -rf {} +"],
  },
  rust: {
    files: {
      "Cargo.toml": '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n',
      "src/lib.rs": 'pub fn greet() -> &\'static str {\n    "hello"\n}\n',
    },
    morning: ["cargo --version", "cargo build 2>&1 | tail -3", "cat Cargo.toml | grep version"],
    edit: { file: "src/lib.rs", from: '"hello"', to: '"hello world"' },
    noon: ["cargo clippy && cargo test 2>&1 | tail -20", "cargo fmt --check || true", "cargo clean"],
    evening: ["cargo build --release && rm -rf target"],
  },
};

const TOOLS: Readonly<Record<string, string>> = {
  pytest: "#!/bin/sh\nexec python3 -m unittest discover -s tests -t .\n",
  cargo:
    '#!/bin/sh\ntest -f Cargo.toml || exit 101\ncase "$1" in\n  --version) echo "cargo 1.80.0" ;;\n' +
    '  build) mkdir -p target/debug && echo "    Finished dev" ;;\n  clean) rm -rf target ;;\n' +
    '  test) grep -q hello src/lib.rs && echo "test result: ok. 1 passed; 0 failed" ;;\n  *) echo "    Finished" ;;\nesac\n',
};

/** Asked about until trust is earned; the host has no such address, so nothing happens. */
const RESTART = "ssh -o BatchMode=yes -o ConnectTimeout=1 web.invalid 'docker compose restart api' || echo no answer";

it.runIf(hasTerminal)("control: a question about trust reaches the person in the terminal", async () => {
  const stage = openStage();
  const { questions } = await sit(stage, [bash(RESTART, "asked")]);
  expect(questions).toBe(1);
  expect(stage.call("asked")).toMatchObject({ verdict: "ask", outcome: "success" });
});

/** All of them take minutes on each lane, so each lane lives one day. SEKISHO_DAYS=all: all days on both. */
const KINDS =
  process.env["SEKISHO_DAYS"] === "all"
    ? Object.keys(DAYS).filter((kind) => kind !== "python" || spawnSync("python3", ["--version"]).status === 0)
    : [laneOfRun() === "plain" ? "node" : "rust"];

describe.each(KINDS)("a day in a %s project", (kind) => {
  it("headless: nothing is refused, and at most one question is asked", async () => {
    const { stage, steps, env } = await prepared(kind);
    await stage.play({ env }, steps);
    expectCalm(stage, steps);
  });

  it.runIf(hasTerminal)("in a terminal: nothing is refused, and at most one question is asked", async () => {
    const { stage, steps, env } = await prepared(kind);
    const { questions } = await sit(stage, steps, env);
    expectCalm(stage, steps);
    expect(questions).toBeLessThanOrEqual(1);
  });
});

function expectCalm(stage: Stage, steps: readonly Step[]): void {
  // `init` has tried its own gate, in a session of that name.
  const lines = stage.audit().filter(({ session_id: id }) => !id.startsWith("sekisho-"));
  const judged = lines.filter(({ event, verdict }) => event === "PreToolUse" && verdict !== null);
  expect(judged.length).toBe(steps.length);
  expect(lines.filter(({ verdict }) => verdict === "deny").map(({ event, reason }) => [event, reason])).toEqual([]);
  const asked = lines.filter(({ verdict }) => verdict === "ask").map(({ reason }) => reason);
  expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(1);
  // The work was really done.
  expect(judged.filter(({ outcome }) => outcome !== "success").map(({ tool_use_id: id }) => id)).toEqual([]);
  expect(stage.git("ls-remote", "--heads", "origin")).toContain("refs/heads/feature/greeting");
  expect(stage.git("log", "--format=%s", "origin/feature/greeting")).toContain("Greet the world");
}

/** With a remote that has the main branch, and tools outside the project. */
async function prepared(kind: string) {
  const day = DAYS[kind] as Day;
  const stage = openStage({ ...day.files, ".gitignore": IGNORED, "scripts/hello.sh": SCRIPT, "README.md": "# Shop\n" });
  const remote = join(dirname(stage.project), "remote.git");
  stage.git("init", "--quiet", "--bare", "--initial-branch", "main", remote);
  stage.git("remote", "add", "origin", remote);
  stage.git("push", "--quiet", "--set-upstream", "origin", "main");
  stage.git("config", "user.name", "dev");
  stage.git("config", "user.email", "dev@example.invalid");
  mkdirSync(toolsOf(stage));
  for (const [name, text] of Object.entries(TOOLS)) {
    writeFileSync(join(toolsOf(stage), name), text);
    chmodSync(join(toolsOf(stage), name), 0o755);
  }
  const env = { PATH: `${toolsOf(stage)}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
  return { stage, env, steps: await stepsOf(stage, day) };
}

const toolsOf = ({ project }: Stage): string => join(dirname(project), "tools");

async function stepsOf(stage: Stage, { morning, edit, noon, evening }: Day): Promise<readonly Step[]> {
  const file = join(stage.project, edit.file);
  const port = await portOfServer();
  return [
    ...[
      "git status --short --branch",
      "git log --oneline -5",
      "git switch -c feature/greeting",
      "ls -la && git branch -a",
    ],
    ...morning,
    use("Read", { file_path: file }),
    use("Edit", { file_path: file, old_string: edit.from, new_string: edit.to }),
    use("Write", { file_path: join(stage.project, "NOTES.md"), content: "The greeting is longer now.\n" }),
    // A change of a script, so it comes before the tests.
    "chmod +x scripts/hello.sh && ./scripts/hello.sh",
    ...noon,
    ...[
      `curl -s -H 'Authorization: Bearer dummy' http://localhost:${port}/health`,
      "git diff --stat && git diff | head -40",
      'git add -A && git commit -m "Greet the world"',
      "git mv NOTES.md CHANGES.md && git commit -m 'Rename the notes'",
      "git restore . && git status --short",
      "git fetch origin && git merge --ff-only origin/main",
      "git push -u origin feature/greeting 2>&1 | tail -3",
    ],
    ...evening,
  ].map((step) => (typeof step === "string" ? bash(step) : step));
}

async function portOfServer(): Promise<number> {
  const server = createServer((_, response) => void response.end('{"ok":true}\n'));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
