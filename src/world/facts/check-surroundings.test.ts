import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { madeOf } from "../../evidence/checks/check.ts";
import { checkRunsIn } from "../../evidence/checks/run.ts";
import { checksOf } from "./checks.ts";
import { sourcesAt } from "./sources.ts";

const base = tempDirectory("around");

type Files = Readonly<Record<string, string>>;

function project(files: Files): string {
  const root = mkdtempSync(join(base, "p-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function made(files: Files, home: Files = {}): string {
  const [check] = checksOf(project(files), [], project(home)).filter(({ name }) => name === "test");
  if (!check) throw new Error("there is no such check");
  return madeOf(check);
}

const scripts = (entries: Files): string => JSON.stringify({ scripts: entries });
const MAKE = "test:\n\tnode test.js\n";
const PACKAGE = { "package.json": scripts({ test: "node test.js" }) };

describe("GT-23 what makes every run pass makes it another check", () => {
  it.each<readonly [string, Files, Files]>([
    [".IGNORE", { Makefile: MAKE }, { Makefile: `.IGNORE: test\n${MAKE}` }],
    ["a variable of the target", { Makefile: MAKE }, { Makefile: `%: SHELL=/bin/true\n${MAKE}` }],
    ["a definition of many lines", { Makefile: MAKE }, { Makefile: `define SHELL\n/bin/true\nendef\n${MAKE}` }],
    ["a file taken in", { Makefile: MAKE }, { Makefile: `-include x.mk\n${MAKE}` }],
    [
      "what such a file says",
      { Makefile: `include x.mk\n${MAKE}`, "x.mk": "" },
      { Makefile: `include x.mk\n${MAKE}`, "x.mk": "SHELL=/bin/true\n" },
    ],
    [
      "yarn's own program",
      { ...PACKAGE, "yarn.lock": "" },
      { ...PACKAGE, "yarn.lock": "", ".yarnrc.yml": "yarnPath: x.cjs\n" },
    ],
    [
      "pnpm's shell",
      { ...PACKAGE, "pnpm-lock.yaml": "" },
      { ...PACKAGE, "pnpm-lock.yaml": "", "pnpm-workspace.yaml": "scriptShell: /bin/true\n" },
    ],
    ["npm's shell, otherwise spelled", PACKAGE, { ...PACKAGE, ".npmrc": "script_shell=/bin/true\n" }],
    [
      "cargo's runner",
      { "Cargo.toml": "" },
      { "Cargo.toml": "", ".cargo/config.toml": "[target.x]\nrunner = 'true'\n" },
    ],
    ["maven's options", { "pom.xml": "" }, { "pom.xml": "", ".mvn/maven.config": "-DskipTests\n" }],
    [
      "a script that node itself runs",
      { "package.json": scripts({ test: "node --run unit", unit: "node test.js" }) },
      { "package.json": scripts({ test: "node --run unit", unit: "true" }) },
    ],
  ])("%s", (_, before, after) => expect(made(after)).not.toBe(made(before)));

  it("npm's user settings are part of the definition where they affect scripts", () => {
    expect(made(PACKAGE, { ".npmrc": "script-shell=/bin/true\n" })).not.toBe(made(PACKAGE));
    expect(made(PACKAGE, { ".npmrc": "//registry/:_authToken=x\n" })).toBe(made(PACKAGE));
  });
});

describe("checks in common project layouts", () => {
  const found = (files: Files): Files =>
    Object.fromEntries(checksOf(project(files), []).map(({ name, command }) => [name, command]));

  it("a workspace root has a check although its script calls the same name", () => {
    expect(found({ "package.json": scripts({ test: "npm test --workspaces" }) })).toEqual({ test: "npm test" });
  });

  it("a tests directory alone does not imply pytest", () => {
    expect(found({ "requirements.txt": "django\n", "tests/a.py": "" })).toEqual({});
    expect(found({ "requirements.txt": "pytest==8\n", "tests/a.py": "" })).toEqual({ test: "pytest" });
  });

  it("mypy gets a path only when its settings name no files", () => {
    const tool = "[tool.mypy]\nplugins = ['x']\nfiles = ['src']\n";
    expect(found({ "pyproject.toml": tool })).toEqual({ typecheck: "mypy" });
    expect(found({ "pyproject.toml": "[tool.mypy]\n[tool.setuptools]\npackages = ['a']\n" })).toEqual({
      typecheck: "mypy .",
    });
  });

  it.each([
    "ruff check .",
    "ruff check",
    "pip install -r requirements.txt && ruff check .",
    "ruff check && git commit -m x",
  ])("%s counts as the whole check", (line) => {
    const root = project({ "pyproject.toml": "[tool.ruff]\n" });
    const [run] = checkRunsIn(line, {
      cwd: root,
      root,
      home: "/home/dev",
      checks: checksOf(root, []),
      sources: sourcesAt(root, true),
    });
    expect(run).toMatchObject({ how: "whole" });
    expect(run).not.toHaveProperty("beside");
  });
});
