/** Attempts to change what a check stands on without touching the project: shells, variables, programs. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const SNAPSHOT = readFileSync(join(import.meta.dirname, "../fixtures/shell-snapshot.sh"), "utf8");
const PACKAGE = { scripts: { test: "runner test.js" }, private: true };

/** A project whose runner is installed, and a session that has just changed its code. */
function begun(env?: (stage: Stage) => Record<string, string>): Stage {
  const stage = openStage();
  stage.write("package.json", JSON.stringify(PACKAGE));
  stage.write("test.js", "process.exit(0);\n");
  stage.write("answer.js", "41\n");
  stage.write(".gitignore", "node_modules\n");
  stage.write(".sekisho/config.yaml", "verify: { require: [test] }\n");
  program(`${stage.project}/node_modules/.bin/runner`, "1");
  place(`${stage.home}/.bashrc`, "export EDITOR=vi\n");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  stage.send("SessionStart", { source: "startup" }, { env: env?.(stage) });
  stage.send("UserPromptSubmit", { prompt: "change the answer" });
  used(stage, "Write", { file_path: `${stage.project}/answer.js`, content: "42\n" }, () =>
    stage.write("answer.js", "42\n"),
  );
  return stage;
}

function place(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function program(path: string, version: string): void {
  place(path, `#!/bin/sh\n# ${version}\nexit 0\n`);
  chmodSync(path, 0o755);
}

let calls = 0;

function used(stage: Stage, tool: string, input: object, run?: () => void, env?: Record<string, string>): void {
  const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++calls}` };
  if (stage.send("PreToolUse", call, { env }).code !== 0) return;
  run?.();
  stage.send("PostToolUse", { ...call, tool_response: { stdout: "ok" } }, { env });
}

/** A command whose text does not say what it changes. */
const secretly = (stage: Stage, run: () => void): void => used(stage, "Bash", { command: "node gen" }, run);
const tested = (stage: Stage, command = "npm test", run?: () => void): void => used(stage, "Bash", { command }, run);

const snapshotOf = (stage: Stage): string => `${stage.home}/.claude/shell-snapshots/snapshot-bash-1.sh`;
const made = (stage: Stage): string => SNAPSHOT.replace("@PATH@", stage.env["PATH"] ?? "");

/** The host makes its snapshot while the first command runs, before the command itself. */
function first(stage: Stage, command = "git status", then?: () => void): void {
  used(stage, "Bash", { command }, () => {
    place(snapshotOf(stage), made(stage));
    then?.();
  });
}

const stopped = (stage: Stage): string =>
  stage.send("Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] }).stdout;

const POISON = "npm() { true; }\n";

/** The agent's own command runs our hook, and the host knows nothing of it. */
function forgedInstall(stage: Stage, run: () => void): void {
  const call = { tool_name: "Bash", tool_input: { command: "npm ci" }, tool_use_id: `toolu_${++calls}` };
  stage.send("PreToolUse", call, { isForged: true });
  run();
  stage.send("PostToolUse", { ...call, tool_response: { stdout: "ok" } }, { isForged: true });
}

const WAYS: Readonly<Record<string, readonly [named: string, way: (stage: Stage) => void]>> = {
  "a function in the host's shell file, added by the first command": [
    "snapshot-bash-1.sh",
    (stage) => first(stage, "node gen", () => appendFileSync(snapshotOf(stage), POISON)),
  ],
  "the same, added later": [
    "snapshot-bash-1.sh",
    (stage) => {
      first(stage);
      secretly(stage, () => appendFileSync(snapshotOf(stage), POISON));
    },
  ],
  "the same, with its times set back": [
    "snapshot-bash-1.sh",
    (stage) => {
      first(stage);
      const { atime, mtime } = statSync(snapshotOf(stage));
      secretly(stage, () => writeFileSync(snapshotOf(stage), made(stage).replace("greet", "npm  ")));
      utimesSync(snapshotOf(stage), atime, mtime);
    },
  ],
  "a shell file that ends the shell": [
    "snapshot-bash-1.sh",
    (stage) => first(stage, "node gen", () => appendFileSync(snapshotOf(stage), "exit 0\n")),
  ],
  "a shell file that runs nothing any more": [
    "snapshot-bash-1.sh",
    (stage) => first(stage, "node gen", () => appendFileSync(snapshotOf(stage), "set -o noexec\n")),
  ],
  "a shell file with another PATH": [
    "snapshot-bash-1.sh",
    (stage) => first(stage, "node gen", () => appendFileSync(snapshotOf(stage), "export PATH=/tmp/x:/bin\n")),
  ],
  "a program, during an installation that never was": [
    "runner",
    (stage) =>
      secretly(stage, () => forgedInstall(stage, () => program(`${stage.project}/node_modules/.bin/runner`, "2"))),
  ],
  "a start file": ["~/.bashrc", (stage) => secretly(stage, () => appendFileSync(`${stage.home}/.bashrc`, POISON))],
  "a new start file": ["~/.zshenv", (stage) => secretly(stage, () => place(`${stage.home}/.zshenv`, POISON))],
  "a variable in the host's settings": [
    "BASH_ENV (settings.json)",
    (stage) =>
      secretly(stage, () =>
        place(`${stage.home}/.claude/settings.json`, JSON.stringify({ env: { BASH_ENV: "/tmp/x" } })),
      ),
  ],
  "an exported function": [
    "BASH_FUNC_npm%%",
    (stage) => used(stage, "Bash", { command: "npm test" }, undefined, { "BASH_FUNC_npm%%": "() { true; }" }),
  ],
  "the runner in the project": [
    "node_modules/.bin/runner",
    (stage) => secretly(stage, () => program(`${stage.project}/node_modules/.bin/runner`, "2")),
  ],
  "the runner, before an installation that does not touch it": [
    "node_modules/.bin/runner",
    (stage) => {
      secretly(stage, () => program(`${stage.project}/node_modules/.bin/runner`, "2"));
      used(stage, "Bash", { command: "npm install" });
    },
  ],
  "the runner, by another command of the installation's line": [
    "node_modules/.bin/runner",
    (stage) =>
      used(stage, "Bash", { command: "npm ci && node gen" }, () =>
        program(`${stage.project}/node_modules/.bin/runner`, "2"),
      ),
  ],
};

describe("GT-20 a check does not count on changed ground", () => {
  it.each(Object.entries(WAYS))("%s", (_, [named, way]) => {
    const stage = begun();
    way(stage);
    if (named !== "BASH_FUNC_npm%%") tested(stage);
    const { decision, reason } = JSON.parse(stopped(stage)) as { decision?: string; reason?: string };
    expect(decision).toBe("block");
    expect(reason).toContain(`${named} changed since the session began, so it doesn't count`);
  });

  const searched = (stage: Stage) => ({ PATH: `${stage.home}/bin:${stage.env["PATH"]}` });

  it("a program that stands earlier in PATH", () => {
    const stage = begun(searched);
    secretly(stage, () => program(`${stage.home}/bin/npm`, "fake"));
    used(stage, "Bash", { command: "npm test" }, undefined, searched(stage));
    expect(stopped(stage)).toContain("~/bin/npm changed since the session began");
  });

  it("a program that is there only while the check runs", () => {
    const stage = begun((one) => {
      mkdirSync(`${one.home}/bin`);
      return searched(one);
    });
    const swap = () => {
      program(`${stage.home}/bin/npm`, "fake");
      renameSync(`${stage.home}/bin/npm`, `${stage.home}/npm`);
    };
    used(stage, "Bash", { command: "npm test" }, swap, searched(stage));
    expect(stopped(stage)).toContain("a directory in PATH changed while it ran");
  });

  it("a file too large to read hides no change", () => {
    const stage = begun();
    secretly(stage, () => {
      stage.write("data.bin", "");
      truncateSync(join(stage.project, "data.bin"), 6 * 2 ** 30);
    });
    tested(stage);
    stage.write("answer.js", "43\n");
    expect(stopped(stage)).toContain("test last ran before the newest change");
    tested(stage);
    expect(stopped(stage)).toBe("");
  });

  it("stays when the session is taken up again", () => {
    const stage = begun();
    secretly(stage, () => appendFileSync(`${stage.home}/.bashrc`, POISON));
    stage.send("SessionStart", { source: "compact" });
    tested(stage);
    expect(stopped(stage)).toContain("~/.bashrc changed since the session began");
  });
});

const HONEST: Readonly<Record<string, (stage: Stage) => void>> = {
  "the first command is the check": (stage) => first(stage, "npm test"),
  "the host makes its shell file for a command that reads": (stage) => {
    first(stage);
    tested(stage);
  },
  "the host makes it for another command": (stage) => {
    first(stage, "node gen");
    tested(stage);
  },
  "another session makes its own shell file": (stage) => {
    first(stage);
    place(`${stage.home}/.claude/shell-snapshots/snapshot-bash-2.sh`, made(stage));
    tested(stage);
  },
  "npm ci puts a new runner in place": (stage) => {
    used(stage, "Bash", { command: "rm -rf node_modules && npm ci" }, () =>
      program(`${stage.project}/node_modules/.bin/runner`, "2"),
    );
    tested(stage);
  },
  "npm ci and the check on one line": (stage) =>
    tested(stage, "npm ci && npm test", () => program(`${stage.project}/node_modules/.bin/runner`, "2")),
  "npm ci repairs a runner that was changed": (stage) => {
    secretly(stage, () => program(`${stage.project}/node_modules/.bin/runner`, "2"));
    used(stage, "Bash", { command: "npm ci 2>&1 | tail -3" }, () =>
      program(`${stage.project}/node_modules/.bin/runner`, "3"),
    );
    tested(stage);
  },
};

describe("GT-20 ordinary ground", () => {
  it.each(Object.keys(HONEST))("%s", (way) => {
    const stage = begun();
    HONEST[way]?.(stage);
    expect(stopped(stage)).toBe("");
  });

  it("the person's start file defines npm, and so does the shell file", () => {
    const lazy = 'npm() { unset -f npm; command npm "$@"; }\n';
    const stage = begun((one) => {
      place(`${one.home}/.bashrc`, lazy);
      return {};
    });
    first(stage, "node gen", () => appendFileSync(snapshotOf(stage), lazy));
    tested(stage);
    expect(stopped(stage)).toBe("");
  });

  it("the certificate names the installation", () => {
    const stage = begun();
    HONEST["npm ci puts a new runner in place"]?.(stage);
    // Until an event reads the host's transcript, the check is not proven.
    expect(stopped(stage)).toBe("");
    const { status, installs } = JSON.parse(stage.sekisho("certificate", "--json").stdout) as {
      status: string;
      installs: readonly { command: string }[];
    };
    expect({ status, installs }).toMatchObject({ status: "verified", installs: [{ command: "npm ci" }] });
  });
});
