import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { branches } from "./branches.ts";

let root: string;
let project: string;

beforeEach(() => {
  root = tempDirectory("branches");
  project = join(root, "project");
  mkdirSync(project);
  git("init", "-q", "-b", "main");
});

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x", ...args], { cwd: project, stdio: "ignore" });
const commit = () => git("commit", "-q", "--allow-empty", "-m", "x");
const branchAt = (path: string) => {
  const tool = { kind: "write", name: "Write", path, content: "" } as const;
  const found = branches({ event: { cwd: root }, operation: operationOf(tool, { cwd: project, home: root }) });
  return found[path.startsWith("/") ? path : join(project, path)]?.branch;
};

describe("the checked-out branch", () => {
  it("PB-41 is read from HEAD, at any depth and for files that do not exist yet", () => {
    commit();
    expect([branchAt("a"), branchAt("deep/er/a")]).toEqual(["main", "main"]);
    git("switch", "-q", "-c", "feature/x");
    expect(branchAt("a")).toBe("feature/x");
  });

  it("is found when the refs are packed", () => {
    commit();
    git("pack-refs", "--all", "--prune");
    expect(branchAt("a")).toBe("main");
  });

  it("is undefined before the first commit, on a detached HEAD and outside a repository", () => {
    expect(branchAt("a")).toBeUndefined();
    commit();
    git("checkout", "-q", "--detach");
    expect(branchAt("a")).toBeUndefined();
    expect(branchAt(join(root, "a"))).toBeUndefined();
  });

  it("is looked up per work tree", () => {
    commit();
    git("worktree", "add", "-q", join(root, "tree"), "-b", "topic");
    expect([branchAt(join(root, "tree", "a")), branchAt("a")]).toEqual(["topic", "main"]);
  });

  it("is looked up where a link leads", () => {
    commit();
    symlinkSync(project, join(root, "link"));
    symlinkSync(join(project, "a"), join(root, "file"));
    writeFileSync(join(project, "a"), "");
    expect([branchAt(join(root, "link", "b")), branchAt(join(root, "file"))]).toEqual(["main", "main"]);
  });

  it("is not guessed when only git can read it", () => {
    writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/.invalid\n");
    expect(() => branchAt("a")).toThrow("only git");
  });

  it("is looked up for every directory a command line changes into", () => {
    commit();
    const tool = { kind: "bash", name: "Bash", command: `cd ${project} && git push`, background: false } as const;
    const found = branches({ event: { cwd: root }, operation: operationOf(tool, { cwd: root, home: root }) });
    expect(found).toEqual({ [project]: { root: project, branch: "main" } });
  });
});
