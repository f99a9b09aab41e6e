import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { HOST, hostMarks, hosts } from "../hosts/index.ts";
import { newSession } from "../state/session/session.ts";
import { newState } from "../state/state.ts";
import { hostSettings } from "./facts/host-settings.ts";
import { agentAbove, isOfAgent } from "./machine/agent-above.ts";
import { callerOf, lookUp, processAt } from "./machine/caller.ts";
import { placesOf, stateRoot, trueName } from "./machine/places.ts";
import { projectKey, projectRoot } from "./machine/project.ts";

const { layout } = hosts[HOST];
const scratch = tempDirectory("world");
const git = (cwd: string, ...args: readonly string[]): void => {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd, stdio: "ignore" });
};
const directory = (...parts: readonly string[]): string => {
  const path = join(scratch, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};

describe("the project of a directory", () => {
  it("all work trees of a repository are one project, from any directory in them", () => {
    const main = directory("repo");
    git(main, "init", "-q", "-b", "main");
    git(main, "commit", "-q", "--allow-empty", "-m", "x");
    git(main, "worktree", "add", "-q", "../other-tree");
    const inner = directory("repo", "a", "b");
    expect([main, inner, join(scratch, "other-tree")].map(projectRoot)).toEqual([main, main, main]);
  });

  it("a plain directory is its own project, and git init there changes nothing", () => {
    const plain = directory("plain");
    expect(projectRoot(plain)).toBe(plain);
    git(plain, "init", "-q");
    expect(projectRoot(plain)).toBe(plain);
  });

  it("a .git file that leads nowhere is not a repository", () => {
    const odd = directory("odd");
    writeFileSync(join(odd, ".git"), "nonsense");
    expect(projectRoot(odd)).toBe(odd);
    expect(projectRoot(join(scratch, "gone", "away"))).toBe(join(scratch, "gone", "away"));
  });

  it("project keys are unique and valid directory names", () => {
    const path = fc
      .array(fc.stringMatching(/^[^/\0]{1,40}$/), { minLength: 1, maxLength: 12 })
      .map((parts) => `/${parts.join("/")}`);
    fc.assert(
      fc.property(path, path, (a, b) => {
        expect(projectKey(a)).not.toMatch(/[/\0]/);
        expect(Buffer.byteLength(projectKey(a))).toBeLessThanOrEqual(255);
        if (a !== b) expect(projectKey(a)).not.toBe(projectKey(b));
      }),
    );
    expect(projectKey("/home/dev/a")).toBe("home+dev+a");
    expect(projectKey("/")).toBe("+");
  });
});

describe("trueName", () => {
  it("follows links, also dangling ones, and appends the missing part", () => {
    const real = directory("names", "real");
    symlinkSync(real, join(scratch, "names", "link"));
    symlinkSync(join(real, "later.json"), join(scratch, "names", "dangling"));
    placesOf(layout, { HOME: scratch }, scratch, []);
    expect(trueName(join(scratch, "names", "link", "x", "..", "y"))).toBe(join(real, "y"));
    expect(trueName(join(scratch, "names", "dangling"))).toBe(join(real, "later.json"));
    expect(trueName(join(scratch, "names", "no", "such"))).toBe(join(scratch, "names", "no", "such"));
    expect(trueName(`${scratch}//names/./real/`)).toBe(real);
  });

  it("terminates on a link loop", () => {
    symlinkSync(join(scratch, "round-b"), join(scratch, "round-a"));
    symlinkSync(join(scratch, "round-a"), join(scratch, "round-b"));
    expect(typeof trueName(join(scratch, "round-a", "x"))).toBe("string");
  });
});

describe("placesOf and stateRoot", () => {
  it("ignore a relative directory in the environment, which would change with the agent's cd", () => {
    expect(stateRoot({ HOME: "/h", XDG_STATE_HOME: "here" })).toBe("/h/.local/state/sekisho");
    expect(stateRoot({ HOME: "/h", XDG_STATE_HOME: "/s" })).toBe("/s/sekisho");
  });

  it("the session's directory, not the agent's, decides the project", () => {
    const one = directory("one");
    const two = directory("two");
    expect(placesOf(layout, { HOME: scratch, CLAUDE_PROJECT_DIR: one }, two, []).project).toBe(one);
    expect(placesOf(layout, { HOME: scratch }, two, []).project).toBe(two);
  });
});

describe("the host's settings files", () => {
  const file = join(scratch, "settings.json");
  const armingOf = (text: string | undefined) => ({
    readable: true,
    hooks: [text ?? "(none)"],
    disarms: [],
    strange: [],
    runs: [],
  });
  const left = (tool: object): string | undefined =>
    hostSettings(
      { hostSettings: [file], home: scratch },
      { name: "PreToolUse", cwd: scratch, tool } as never,
      armingOf,
    )[0]?.after?.hooks[0];

  it("are shown exactly as a write or an edit would leave them", () => {
    writeFileSync(file, "a a $& b");
    expect(left({ kind: "write", path: file, content: "new" })).toBe("new");
    expect(left({ kind: "edit", path: file, edits: [{ old: "a", new: "$&$1", all: false }] })).toBe("$&$1 a $& b");
    expect(
      left({
        kind: "edit",
        path: file,
        edits: [
          { old: "a", new: "c", all: true },
          { old: "c c", new: "d", all: false },
        ],
      }),
    ).toBe("d $& b");
    expect(left({ kind: "write", path: "/elsewhere", content: "new" })).toBeUndefined();
  });

  it("are read with the host's line endings, and are not predicted when the text of an edit is not found", () => {
    writeFileSync(file, '{\r\n  "a": 1\r\n}');
    expect(left({ kind: "edit", path: file, edits: [{ old: '{\n  "a"', new: '{\n  "b"', all: false }] })).toBe(
      '{\n  "b": 1\n}',
    );
    const untold = (old: string): unknown =>
      hostSettings(
        { hostSettings: [file], home: scratch },
        {
          name: "PreToolUse",
          cwd: scratch,
          tool: { kind: "edit", path: file, edits: [{ old, new: "x", all: false }] },
        } as never,
        armingOf,
      );
    expect(untold("“a”")).toMatchObject([{ path: file, after: undefined }]);
    expect(untold('"\\u0061"')).toMatchObject([{ path: file, after: undefined }]);
  });

  it("missing files have no hooks", () => {
    expect(
      hostSettings(
        { hostSettings: [join(scratch, "missing.json")], home: scratch },
        { name: "Stop" } as never,
        armingOf,
      )[0]?.now.hooks,
    ).toEqual(["(none)"]);
  });
});

describe("hooks that a person has pointed to another program", () => {
  it("count like the hooks of this program", () => {
    const file = join(scratch, "pointed.json");
    writeFileSync(file, "new");
    const armingOf = (text: string | undefined, program?: { readonly bundle: string }) => ({
      readable: true,
      hooks: text === (program?.bundle ?? "own") ? ["PreToolUse"] : [],
      disarms: [],
      strange: [],
      runs: [],
    });
    const hooks = (bundle?: string): readonly string[] | undefined =>
      hostSettings(
        { hostSettings: [file], home: scratch },
        { name: "ConfigChange" } as never,
        armingOf,
        bundle === undefined ? undefined : { node: "/node", bundle },
      )[0]?.now.hooks;
    expect([hooks(), hooks("old"), hooks("new")]).toEqual([[], [], ["PreToolUse"]]);
  });
});

describe.runIf(process.platform === "linux")("the caller", () => {
  const me = { pid: process.pid, started: lookUp(process.pid)?.started ?? "" };

  it("the process table gives parent and start time, and nothing for a process that is gone", () => {
    expect(lookUp(process.pid)?.parent).toBe(process.ppid);
    expect(me.started).toMatch(/^\d+$/);
    expect(lookUp(2 ** 22 + 1)).toBeUndefined();
  });

  it("a caller below a host process of the journal is inside an agent", () => {
    const state = {
      ...newState,
      sessions: {
        s: { ...newSession(0), client: { pid: process.ppid, started: lookUp(process.ppid)?.started ?? "" } },
      },
    };
    expect(callerOf(layout, {}, me, undefined, state).insideAgent).toBe(true);
    expect(callerOf(layout, {}, me, undefined, newState).insideAgent).toBe(false);
  });

  it("a session is held elsewhere while its process lives, and not after its pid was reused", () => {
    const held = { ...newSession(0), client: me };
    for (const session of [held, { ...held, endedAt: 1 }])
      expect(callerOf(layout, {}, processAt(process.ppid), session, newState).heldElsewhere).toBe(true);
    expect(
      callerOf(layout, {}, processAt(process.ppid), { ...held, client: { ...me, started: "1" } }, newState)
        .heldElsewhere,
    ).toBe(false);
    expect(callerOf(layout, { CLAUDE_PID: String(process.pid) }, me, held, newState)).toMatchObject({
      isHost: true,
      insideAgent: false,
      heldElsewhere: false,
    });
  });
});

describe("telling a person from an agent", () => {
  it("the host's variables in the environment reveal an agent", () => {
    for (const mark of ["CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"]) {
      expect(agentAbove(hostMarks[HOST], { [mark]: "1" }, process.pid)).toContain(mark);
    }
  });

  it.runIf(process.platform === "linux")(
    "an agent started a process that has its mark, or whose ancestor has it",
    () => {
      const marks = { variables: ["SEKISHO_MARK"], processName: /^nobody-s-name$/ };
      const run = (env: object): number => {
        const child = spawn("sleep", ["60"], { env: { PATH: process.env["PATH"], ...env } });
        onTestFinished(() => void child.kill());
        return child.pid ?? 0;
      };
      expect(isOfAgent(marks, run({}))).toBe(false);
      expect(isOfAgent(marks, run({ SEKISHO_MARK: "1" }))).toBe(true);
      expect(isOfAgent({ ...marks, processName: /./ }, run({}))).toBe(true);
      expect(isOfAgent(marks, 2 ** 22 + 1)).toBe(true);
    },
  );

  it.runIf(process.platform === "linux")("an ancestor keeps the variables that a child has unset", () => {
    const code = `process.stdout.write(String(require("node:child_process").execFileSync("env", ["-u", "CLAUDECODE", "sh", "-c", "cat /proc/$PPID/environ | tr '\\\\0' '\\\\n'"])))`;
    const seen = execFileSync(process.execPath, ["-e", code], {
      env: { PATH: process.env["PATH"], CLAUDECODE: "1" },
      encoding: "utf8",
    });
    expect(seen).toContain("CLAUDECODE=1");
  });
});

describe("the plugin's own files", () => {
  const installed = (root: string, bundle: string): readonly string[] =>
    placesOf(layout, { HOME: scratch, CLAUDE_PLUGIN_ROOT: root }, scratch, [bundle]).installed;

  it("are ours when the program was started from there, and not when another plugin is named", () => {
    expect(installed("/opt/plugin", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist", "/opt/plugin"]);
    expect(installed("/opt/other", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist"]);
    expect(installed("/opt/plug", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist"]);
    expect(installed("", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist"]);
  });
});
