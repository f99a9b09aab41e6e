/** What a critic must have seen, in a repository whose worker would rather not have it seen. */
import * as childProcess from "node:child_process";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { until } from "../../../../test/until.ts";
import { driveNow } from "../../../kernel/drive.ts";
import type { Covered } from "../../../kernel/facts.ts";
import { newSession } from "../../../state/session/session.ts";
import { newState, type State } from "../../../state/state.ts";
import { headCommit } from "../../machine/head-commit.ts";
import { runNow } from "../../machine/program.ts";
import type { Looking } from "../looking.ts";
import { coveredFiles } from "./covered.ts";

const PLAN = ".sekisho/playbooks/button.md";
let root: string;
let home: string;
let base: string | undefined;

beforeEach(() => {
  const all = tempDirectory("covered");
  root = join(all, "project");
  home = join(all, "home");
  mkdirSync(root);
  mkdirSync(home);
  git("init", "-q", "-b", "main");
  put("src/a.js", "exports.a = 1;\n");
  put("src/b.js", "exports.b = 1;\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  base = headCommit(root);
});

function git(...args: readonly string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.invalid"];
  execFileSync("git", [...who, ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: "ignore",
  });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function covered(written: readonly string[] = []): Covered {
  const approval = { at: 1, by: "command", digest: "d", parts: [], ...(base !== undefined && { base }) } as const;
  const state: State = {
    ...newState,
    sessions: { s1: { ...newSession(0), written: written.map((path) => join(root, path)) } },
    playbooks: { [root]: { active: PLAN, approvals: { [PLAN]: approval } } },
  };
  const looking = {
    ...{ event: { session: "s1", cwd: root }, places: { project: root, hostSettings: [] }, state },
    ...{ env: { PATH: process.env["PATH"], HOME: home }, deadline: Date.now() + 20_000, clock: Date.now },
  };
  const found = driveNow(coveredFiles(looking as unknown as Looking), (effect) => {
    if (effect.do !== "run") throw new Error(effect.do);
    return runNow(effect.program, childProcess);
  });
  if ("unknown" in found) throw new Error(found.unknown);
  return found;
}

const paths = (written?: readonly string[]): readonly string[] =>
  covered(written)
    .files.filter(({ isThere }) => isThere)
    .map(({ path }) => path)
    .sort();

describe("what a critic must have seen", () => {
  it("PB-80 is what differs from the commit of the approval, committed or not", () => {
    put("src/a.js", "exports.a = 2;\n");
    put("src/c.js", "exports.c = 1;\n");
    git("add", "-A");
    git("commit", "-qm", "work");
    put("src/d.js", "exports.d = 1;\n");
    expect(paths()).toEqual(["src/a.js", "src/c.js", "src/d.js"]);
  });

  it.each<readonly [string, () => void]>([
    ["assume-unchanged", () => git("update-index", "--assume-unchanged", "src/a.js")],
    ["skip-worktree", () => git("update-index", "--skip-worktree", "src/a.js")],
    ["attributes that make it binary", () => writeFileSync(join(root, ".git/info/attributes"), "*.js binary\n")],
    ["a byte that makes it binary", () => put("src/a.js", "exports.a = 2; //\0\n")],
    ["names without a prefix", () => git("config", "diff.noprefix", "true")],
    ["another work tree in the settings", () => git("config", "core.worktree", otherTree())],
    ["a filter that gives the old content", () => filter("git show HEAD:src/a.js")],
    ["a replaced commit", () => replaced()],
    ["an external diff", () => git("config", "diff.external", "true")],
  ])("PB-80 is not hidden by %s", (_, hide) => {
    put("src/a.js", "exports.a = 2;\n");
    hide();
    expect(paths()).toEqual(["src/a.js"]);
  });

  function otherTree(): string {
    const other = join(dirname(root), "other");
    mkdirSync(join(other, "src"), { recursive: true });
    writeFileSync(join(other, "src/a.js"), "exports.a = 1;\n");
    writeFileSync(join(other, "src/b.js"), "exports.b = 1;\n");
    return other;
  }

  function filter(clean: string): void {
    git("config", "filter.old.clean", clean);
    writeFileSync(join(root, ".git/info/attributes"), "*.js filter=old\n");
  }

  /** The work is committed, and git is told to take that commit for the first one. */
  function replaced(): void {
    git("commit", "-qam", "work");
    git("replace", base ?? "", "HEAD");
  }

  it("PB-80 is not hidden by a time that was put back", async () => {
    const file = join(root, "src/a.js");
    // Older than the index, so that git believes it without a look at the content.
    utimesSync(file, 1_000_000, 1_000_000);
    git("config", "core.trustctime", "false");
    git("config", "core.checkStat", "minimal");
    git("update-index", "--refresh");
    // Git keeps whole seconds, and a file's clock is a little behind ours.
    const { ctimeMs } = statSync(file);
    await until(() => Date.now() - Math.floor(ctimeMs / 1000) * 1000 > 1200, "another second");
    put("src/a.js", "exports.a = 2;\n");
    utimesSync(file, 1_000_000, 1_000_000);
    expect(paths()).toEqual(["src/a.js"]);
  });

  it("PB-80 holds a new file that tools wrote, whatever lists outside the project's own leave out", () => {
    put("src/c.js", "exports.c = 1;\n");
    put(".git/info/exclude", "src/c.js\n");
    expect(paths()).toEqual([]);
    expect(paths(["src/c.js"])).toEqual(["src/c.js"]);
    put(".gitignore", "src/c.js\n");
    expect(paths(["src/c.js"])).toEqual([".gitignore"]);
  });

  it("PB-80 a link is seen with what it leads to, and again when that changes", () => {
    const outside = join(dirname(root), "outside.js");
    renameSync(join(root, "src/a.js"), outside);
    symlinkSync(outside, join(root, "src/a.js"));
    const mark = () => covered().files.find(({ path }) => path === "src/a.js")?.mark;
    const first = mark();
    expect(paths()).toEqual(["src/a.js"]);
    writeFileSync(outside, "exports.a = 2;\n");
    expect(mark()).not.toBe(first);
    rmSync(outside);
    expect(paths()).toEqual([]);
  });

  it("PB-80 nobody knows it where git cannot compare, and a repository without a commit is seen whole", () => {
    put("src/a.js", "exports.a = 2;\n");
    git("config", "filter.a=b.clean", "cat");
    expect(covered()).toEqual({ files: [], isKnown: false, isLost: true });
    rmSync(join(root, ".git"), { recursive: true });
    git("init", "-q", "-b", "main");
    base = undefined;
    expect(paths()).toEqual(["src/a.js", "src/b.js"]);
    git("add", "-A");
    git("commit", "-qm", "first");
    expect(paths()).toEqual(["src/a.js", "src/b.js"]);
  });
});
