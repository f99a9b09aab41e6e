import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { HOST, hosts } from "../../hosts/index.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { protectedFiles } from "./protected-files.ts";

let root: string;
let project: string;

beforeEach(() => {
  root = tempDirectory("protected");
  project = join(root, "project");
  mkdirSync(project);
});

function put(path: string, content: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
}

const look = (path: string, cwd = project, minimum: "lists" | "framework" = "lists") =>
  protectedFiles({
    host: hosts[HOST],
    settings: { protect: { minimum } },
    event: { cwd },
    operation: operationOf({ kind: "write", name: "Write", path, content: "" }, { cwd, home: root }),
    places: { project },
  });
const lines = (found: ReturnType<typeof look>) => found.map(({ level, pattern }) => `${level}:${pattern}`);

describe("the project's protected files", () => {
  it("PB-42 without a list only the list files themselves are protected", () => {
    expect(lines(look("a"))).toEqual(["HARD_BLOCK:.sekisho/protected", "HARD_BLOCK:.claude/protected-files.txt"]);
    expect(look("a").every(({ isThere }) => !isThere)).toBe(true);
  });

  it("PB-42 without a list the framework's minimum stands, where a person has chosen it", () => {
    const minimum = [
      "HARD_BLOCK:.sekisho/protected",
      "HARD_BLOCK:.claude/protected-files.txt",
      "HARD_BLOCK:CLAUDE.md",
      "BLOCK:.claude/settings.json",
      "BLOCK:.claude/settings.local.json",
      "BLOCK:/state.md",
      "WARN:RUNBOOK.md",
    ];
    expect(lines(look("a", project, "framework"))).toEqual(minimum);
    put(".claude/protected-files.txt", "# ours\nWARN:CLAUDE.md\ndocs/**\n");
    expect(lines(look("a", project, "framework"))).toEqual([...minimum, "WARN:CLAUDE.md", "BLOCK:docs/**"]);
  });

  it("PB-42 both list files are read", () => {
    put(".sekisho/protected", "WARN:a\n");
    put(".claude/protected-files.txt", "HARD_BLOCK:b\nc\n");
    expect(lines(look("a")).slice(2)).toEqual(["WARN:a", "HARD_BLOCK:b", "BLOCK:c"]);
  });

  it("the target of a listed link is protected too", () => {
    put(".sekisho/protected", "HARD_BLOCK:CLAUDE.md\n");
    put("AGENTS.md", "x");
    symlinkSync("AGENTS.md", join(project, "CLAUDE.md"));
    expect(look("a").at(-1)?.paths).toEqual([join(project, "CLAUDE.md"), join(project, "AGENTS.md")]);
  });

  it("apply in every work tree of the project, from any directory", () => {
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: project, stdio: "ignore" });
    git("init", "-q");
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x");
    const tree = join(root, "tree");
    git("worktree", "add", "-q", tree);
    put(".sekisho/protected", "HARD_BLOCK:CLAUDE.md\n");
    for (const found of [look(join(tree, "CLAUDE.md")), look("CLAUDE.md", tree)])
      expect(found.at(-1)?.paths).toEqual([join(project, "CLAUDE.md"), join(tree, "CLAUDE.md")]);
  });

  it("another repository is not affected", () => {
    mkdirSync(join(root, "other", ".git"), { recursive: true });
    put(".sekisho/protected", "HARD_BLOCK:CLAUDE.md\n");
    expect(look(join(root, "other", "CLAUDE.md")).at(-1)?.paths).toEqual([join(project, "CLAUDE.md")]);
  });

  it("a list that is not a file is an error, never an empty list", () => {
    mkdirSync(join(project, ".sekisho", "protected"), { recursive: true });
    expect(() => look("a")).toThrow("protected");
  });
});
