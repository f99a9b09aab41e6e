import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { madeOf } from "../kernel/check.ts";
import { checkRunsIn } from "../kernel/check-run.ts";
import { checksOf } from "./checks.ts";

const base = mkdtempSync(join(tmpdir(), "sekisho-around-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

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

describe("GT-24 what makes every run pass makes it another check", () => {
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

  it("npm's settings of the user", () => {
    expect(made(PACKAGE, { ".npmrc": "script-shell=/bin/true\n" })).not.toBe(made(PACKAGE));
    expect(made(PACKAGE, { ".npmrc": "//registry/:_authToken=x\n" })).toBe(made(PACKAGE));
  });
});

describe("checks as people have them", () => {
  const found = (files: Files): Files =>
    Object.fromEntries(checksOf(project(files), []).map(({ name, command }) => [name, command]));

  it("a package of packages has a check, though its script bears the name that it calls", () => {
    expect(found({ "package.json": scripts({ test: "npm test --workspaces" }) })).toEqual({ test: "npm test" });
  });

  it("a directory of tests alone is not pytest's", () => {
    expect(found({ "requirements.txt": "django\n", "tests/a.py": "" })).toEqual({});
    expect(found({ "requirements.txt": "pytest==8\n", "tests/a.py": "" })).toEqual({ test: "pytest" });
  });

  it("mypy is told its files once", () => {
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
  ])("%s is the whole check", (line) => {
    const root = project({ "pyproject.toml": "[tool.ruff]\n" });
    const [run] = checkRunsIn(line, root, root, checksOf(root, []), "/home/dev");
    expect(run).toMatchObject({ how: "whole" });
    expect(run).not.toHaveProperty("beside");
  });
});
