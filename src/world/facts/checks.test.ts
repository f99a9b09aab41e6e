import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { provesItself } from "../../evidence/checks/definition.ts";
import { checkRunsIn } from "../../evidence/checks/run.ts";
import { checksOf } from "./checks.ts";
import { sourcesAt } from "./sources.ts";

let root: string;
beforeEach(() => {
  root = tempDirectory("checks");
});

function put(path: string, content: string | object = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
}

const found = (configured: readonly string[] = []) =>
  Object.fromEntries(checksOf(root, configured).map(({ name, command }) => [name, command]));
const check = (name: string, configured: readonly string[] = []) =>
  checksOf(root, configured).find((one) => one.name === name);

describe("PL-40 the checks of a project", () => {
  it("an empty project has no checks", () => expect(found()).toEqual({}));

  it("are the package's scripts, run by its package manager", () => {
    const scripts = { test: "vitest", lint: "eslint .", "type-check": "tsc", build: "vite build", audit: "npm audit" };
    put("package.json", { scripts });
    expect(found()).toEqual({
      test: "npm test",
      lint: "npm run lint",
      typecheck: "npm run type-check",
      build: "npm run build",
      security: "npm run audit",
    });
    put("bun.lock");
    expect(found()["test"]).toBe("bun run test");
    put("yarn.lock");
    expect(found()["test"]).toBe("yarn test");
    put("pnpm-lock.yaml");
    expect(found()["lint"]).toBe("pnpm run lint");
  });

  it("placeholder scripts are not checks", () => {
    for (const test of [
      'echo "Error: no test specified" && exit 1',
      "true",
      "exit 0",
      "echo ok",
      ":",
      "npm run none",
      "",
    ]) {
      put("package.json", { scripts: { test, none: "echo" } });
      expect(found(), test).toEqual({});
    }
  });

  it("a script's definition includes the scripts it calls and their pre and post scripts", () => {
    const scripts = {
      pretest: "npm run gen",
      test: "npm run unit",
      unit: "vitest",
      preunit: "x",
      gen: "g",
      other: "o",
    };
    put("package.json", { scripts });
    const { definition = "" } = check("test") ?? {};
    for (const text of ["# pretest\nnpm run gen", "# test\nnpm run unit", "# unit\nvitest", "# preunit\nx", "# gen\ng"])
      expect(definition).toContain(text);
    expect(definition).not.toContain("other");
    put("package.json", { scripts: { ...scripts, unit: "vitest || true" } });
    expect(check("test")?.definition).not.toBe(definition);
    expect(provesItself(check("test") as NonNullable<ReturnType<typeof check>>)).toBe("or");
  });

  it("a shell set for all scripts is part of every definition", () => {
    put("package.json", { scripts: { test: "vitest" } });
    const before = check("test")?.definition;
    put(".npmrc", "registry=https://example.org\nscript-shell=/bin/true\n");
    expect(check("test")?.definition).toBe(`${before}\n# .npmrc\nscript-shell=/bin/true`);
  });

  it("circular and wildcard script calls terminate", () => {
    put("package.json", {
      scripts: { test: "npm run a", a: "npm run test", lint: "run-s lint:*", "lint:a": "eslint" },
    });
    expect(found()).toEqual({ lint: "npm run lint" });
    expect(check("lint")?.definition).toContain("eslint");
  });

  it("makefile targets rank second, and only if make would run them", () => {
    put(
      "Makefile",
      "PY = python3\n.PHONY: test\ntest: gen\n\t@$(PY) -m pytest\ngen:\n\tgo generate\nlint:\n\t-ruff check\n",
    );
    expect(found()).toEqual({ test: "make test", lint: "make lint" });
    expect(check("test")?.definition).toBe(`PY="python3"\n$\{PY} -m pytest\ngo generate`);
    expect(provesItself(check("lint") as NonNullable<ReturnType<typeof check>>)).toBe("or");
    put("lint");
    put("test");
    expect(found()).toEqual({ test: "make test" });
    put("package.json", { scripts: { test: "vitest" } });
    expect(found()).toEqual({ test: "npm test" });
  });

  it("justfile recipes count as checks", () => {
    put("justfile", "test:\n    cargo nextest run\n@lint: test\n    cargo clippy\n");
    expect(found()).toEqual({ test: "just test", lint: "just lint" });
    expect(check("lint")?.definition).toContain("cargo clippy");
  });

  it.each([
    [
      "pyproject.toml",
      "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n",
      { test: "pytest", lint: "ruff check", typecheck: "mypy ." },
    ],
    ["pyproject.toml", "[project]\n", {}],
    ["pytest.ini", "", { test: "pytest" }],
    ["setup.cfg", "[mypy]\n[tool:pytest]\n", { test: "pytest", typecheck: "mypy ." }],
    ["Cargo.toml", "", { test: "cargo test", typecheck: "cargo check", build: "cargo build" }],
    ["go.mod", "", { test: "go test ./...", lint: "go vet ./...", build: "go build ./..." }],
    ["Gemfile", "", {}],
    ["pom.xml", "", { test: "mvn test" }],
    ["build.gradle.kts", "", { test: "gradle test" }],
    ["mix.exs", "", { test: "mix test" }],
    [
      "deno.jsonc",
      '{\n  // tasks\n  "tasks": { "test": { "command": "deno test -A" } }\n}',
      { test: "deno task test", lint: "deno lint" },
    ],
    ["composer.json", '{"scripts":{"test":["phpunit","phpstan"]}}', { test: "composer test" }],
  ])("%s with %j: %j", (file, text, expected) => {
    put(file, text);
    expect(found()).toEqual(expected);
  });

  it.each([
    ["uv.lock", "uv run"],
    ["poetry.lock", "poetry run"],
    ["pdm.lock", "pdm run"],
    ["Pipfile.lock", "pipenv run"],
  ])("with %s the command is prefixed with %s and the definition stays the same", (lock, runner) => {
    put("pyproject.toml", "[tool.pytest.ini_options]\n[tool.ruff]\n");
    const before = check("test")?.definition;
    put(lock);
    expect(found()).toEqual({ test: `${runner} pytest`, lint: `${runner} ruff check` });
    expect(check("test")?.definition).toBe(before);
  });

  it("a language's check depends on further files of the project", () => {
    put("Gemfile");
    put("spec/a_spec.rb");
    put(".rubocop.yml");
    expect(found()).toEqual({ test: "bundle exec rspec", lint: "bundle exec rubocop" });
    put("build.gradle");
    put("gradlew");
    rmSync(join(root, "Gemfile"));
    expect(found()).toEqual({ test: "./gradlew test" });
  });

  it("configured commands win, and an empty one disables the check", () => {
    put("package.json", { scripts: { test: "vitest", lint: "eslint .", "test:unit": "vitest unit" } });
    expect(found(["test=npm run test:unit", "lint="])).toEqual({ test: "npm run test:unit" });
    expect(check("test", ["test=npm run test:unit"])).toMatchObject({ script: "test:unit", source: "settings" });
    expect(check("test", ["test=npm run test:unit"])?.definition).toContain("vitest unit");
    expect(check("test", ["test=a", "test=A=b ./x | tee y"])).toEqual({
      name: "test",
      command: "A=b ./x | tee y",
      definition: "A=b ./x | tee y",
      source: "settings",
    });
    const run = checkRunsIn("yarn test:unit", {
      cwd: root,
      root,
      home: "/h",
      checks: checksOf(root, ["test=npm run test:unit"]),
      sources: sourcesAt(root, true),
    });
    expect(run).toMatchObject([{ check: "test", how: "whole" }]);
  });

  it("broken, odd and hostile files yield no checks and block nothing", () => {
    for (const text of [
      "{",
      "[]",
      "null",
      '{"scripts":[]}',
      '{"scripts":{"test":5,"lint":null}}',
      "\u0000",
      '{"scripts":{"__proto__":"x"}}',
    ]) {
      put("package.json", text);
      put("composer.json", text);
      put("deno.json", text);
      expect(found(), text).toEqual({ test: "deno test", lint: "deno lint" });
    }
    rmSync(join(root, "deno.json"));
    rmSync(join(root, "package.json"));
    mkdirSync(join(root, "package.json"));
    put("Makefile", `test:\n${"\tx\n".repeat(200_000)}`);
    execFileSync("mkfifo", [join(root, "justfile")]);
    symlinkSync("/dev/zero", join(root, "GNUmakefile"));
    expect(found()).toEqual({});
  });

  it("a byte order mark is ignored", () => {
    put("package.json", `\uFEFF${JSON.stringify({ scripts: { test: "vitest" } })}`);
    expect(found()).toEqual({ test: "npm test" });
  });
});
