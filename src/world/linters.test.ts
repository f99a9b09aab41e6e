import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operationOf } from "../kernel/operation.ts";
import { linters } from "./linters.ts";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "sekisho-linters-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function put(path: string, content = ""): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
  chmodSync(join(project, path), 0o755);
}

const found = (command = "git commit -m x", PATH = "/nowhere") =>
  linters({
    operation: operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd: project, home: "/h" }),
    places: { project },
    env: { PATH },
  });

describe("the linters of a project", () => {
  it("PB-53 are those that are there", () => {
    expect(found()).toEqual([]);
    put("node_modules/.bin/eslint");
    put("pyproject.toml", "[tool.ruff]\n");
    put("bin/shellcheck");
    expect(found("git add -A", join(project, "bin"))).toEqual(["eslint", "ruff", "shellcheck"]);
  });

  it("a python project without ruff has none", () => {
    put("pyproject.toml", "[project]\n");
    expect(found()).toEqual([]);
  });

  it("are not looked for where nothing is committed", () => {
    put("ruff.toml");
    expect(found("git status")).toEqual([]);
  });
});
