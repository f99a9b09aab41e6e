import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { newSession } from "../state/session.ts";
import { newState } from "../state/state.ts";
import { agentAbove } from "./agent-above.ts";
import { callerOf, lookUp, processAt } from "./caller.ts";
import { hostSettings } from "./host-settings.ts";
import { placesOf, stateRoot, trueName } from "./places.ts";
import { projectKey, projectRoot } from "./project.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-world-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const git = (cwd: string, ...args: readonly string[]): void => {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd, stdio: "ignore" });
};
const directory = (...parts: readonly string[]): string => {
  const path = join(scratch, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};

describe("which project", () => {
  it("all work trees of a repository are one, wherever one stands in them", () => {
    const main = directory("repo");
    git(main, "init", "-q", "-b", "main");
    git(main, "commit", "-q", "--allow-empty", "-m", "x");
    git(main, "worktree", "add", "-q", "../other-tree");
    const inner = directory("repo", "a", "b");
    expect([main, inner, join(scratch, "other-tree")].map(projectRoot)).toEqual([main, main, main]);
  });

  it("a bare repository is named by itself, a plain directory too, and git init there changes nothing", () => {
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

  it("no two projects share a name, and every name is one a directory can have", () => {
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

describe("true names", () => {
  it("links are followed, also ones that lead nowhere yet, and what is missing is appended", () => {
    const real = directory("names", "real");
    symlinkSync(real, join(scratch, "names", "link"));
    symlinkSync(join(real, "later.json"), join(scratch, "names", "dangling"));
    placesOf({ HOME: scratch }, scratch, []);
    expect(trueName(join(scratch, "names", "link", "x", "..", "y"))).toBe(join(real, "y"));
    expect(trueName(join(scratch, "names", "dangling"))).toBe(join(real, "later.json"));
    expect(trueName(join(scratch, "names", "no", "such"))).toBe(join(scratch, "names", "no", "such"));
    expect(trueName(`${scratch}//names/./real/`)).toBe(real);
  });

  it("a circle of links ends", () => {
    symlinkSync(join(scratch, "round-b"), join(scratch, "round-a"));
    symlinkSync(join(scratch, "round-a"), join(scratch, "round-b"));
    expect(typeof trueName(join(scratch, "round-a", "x"))).toBe("string");
  });
});

describe("places", () => {
  it("a relative directory in the environment would move with the agent, and counts as none", () => {
    expect(stateRoot({ HOME: "/h", XDG_STATE_HOME: "here" })).toBe("/h/.local/state/sekisho");
    expect(stateRoot({ HOME: "/h", XDG_STATE_HOME: "/s" })).toBe("/s/sekisho");
  });

  it("the session's directory, not the agent's, says which project it is", () => {
    const one = directory("one");
    const two = directory("two");
    expect(placesOf({ HOME: scratch, CLAUDE_PROJECT_DIR: one }, two, []).project).toBe(one);
    expect(placesOf({ HOME: scratch }, two, []).project).toBe(two);
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

  it("are shown as a write or an edit would leave them, to the letter", () => {
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

  it("are read with the line ends that the client gives them, and are not told where the words are not found", () => {
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

  it("that are missing are none", () => {
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
  it("count as whole, as those of this program do", () => {
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

describe.runIf(process.platform === "linux")("who called", () => {
  const me = { pid: process.pid, started: lookUp(process.pid)?.started ?? "" };

  it("the process table tells a parent and a start time, and nothing of a process that is gone", () => {
    expect(lookUp(process.pid)?.parent).toBe(process.ppid);
    expect(me.started).toMatch(/^\d+$/);
    expect(lookUp(2 ** 22 + 1)).toBeUndefined();
  });

  it("a caller below a client of the journal is inside an agent", () => {
    const state = {
      ...newState,
      sessions: {
        s: { ...newSession(0), client: { pid: process.ppid, started: lookUp(process.ppid)?.started ?? "" } },
      },
    };
    expect(callerOf({}, me, undefined, state).insideAgent).toBe(true);
    expect(callerOf({}, me, undefined, newState).insideAgent).toBe(false);
  });

  it("a session is held elsewhere while its process lives, and not when its number was given to another", () => {
    const held = { ...newSession(0), client: me };
    expect(callerOf({}, processAt(process.ppid), held, newState).heldElsewhere).toBe(true);
    expect(
      callerOf({}, processAt(process.ppid), { ...held, client: { ...me, started: "1" } }, newState).heldElsewhere,
    ).toBe(false);
    expect(callerOf({ CLAUDE_PID: String(process.pid) }, me, held, newState)).toMatchObject({
      isHost: true,
      insideAgent: false,
      heldElsewhere: false,
    });
  });
});

describe("a person or an agent", () => {
  it("the marks of a client in the environment give an agent away", () => {
    for (const mark of ["CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"]) {
      expect(agentAbove({ [mark]: "1" }, process.pid)).toContain(mark);
    }
  });

  it.runIf(process.platform === "linux")("and so does an ancestor that has them, whatever was unset since", () => {
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
    placesOf({ HOME: scratch, CLAUDE_PLUGIN_ROOT: root }, scratch, [bundle]).installed;

  it("are ours when we were started from there, and not when somebody else's plugin is named", () => {
    expect(installed("/opt/plugin", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist", "/opt/plugin"]);
    expect(installed("/opt/other", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist"]);
    expect(installed("/opt/plug", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist"]);
    expect(installed("", "/opt/plugin/dist")).toEqual(["/opt/plugin/dist"]);
  });
});
