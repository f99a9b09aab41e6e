import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { linters } from "./linters.ts";

let project: string;
beforeEach(() => {
  project = tempDirectory("linters");
});

function put(path: string, content = ""): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
  chmodSync(join(project, path), 0o755);
}

const found = (PATH = "/nowhere") => linters({ places: { project }, env: { PATH } });

describe("the linters of a project", () => {
  it("PB-53 are those that are installed or configured", () => {
    expect(found()).toEqual([]);
    put("node_modules/.bin/eslint");
    put("pyproject.toml", "[tool.ruff]\n");
    put("bin/shellcheck");
    expect(found(join(project, "bin"))).toEqual(["eslint", "ruff", "shellcheck"]);
  });

  it("a Python project without ruff has none", () => {
    put("pyproject.toml", "[project]\n");
    expect(found()).toEqual([]);
  });
});
