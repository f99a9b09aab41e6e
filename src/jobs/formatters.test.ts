import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { formatterFor } from "./formatters.ts";
import { changedIn, madeOf, originalOf } from "./formatting.ts";

let root: string;
let project: string;
beforeEach(() => {
  root = tempDirectory("formatters");
  project = join(root, "project");
  put("project/package.json", "{}");
});

function put(path: string, content = ""): string {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
  chmodSync(whole, 0o755);
  return whole;
}

function found(name: string, commands: readonly string[] = [], PATH = `${root}/bin`) {
  const formatter = formatterFor({ path: `${project}/${name}`, project, commands, env: { PATH, HOME: root } });
  return formatter && { by: formatter.by, code: formatter.code, ...formatter.program };
}

describe("MD-82 the project's formatter", () => {
  it("TS-38 is undefined where the project has none: nothing is downloaded", () => {
    for (const name of ["a.ts", "a.py", "a.go", "a.rs", "a.md", "Makefile", "a"]) expect(found(name)).toBeUndefined();
  });

  it("is prettier where it is installed and configured, not where it is only a transitive dependency", () => {
    const program = put("project/node_modules/.bin/prettier");
    expect(found("src/a.ts")).toBeUndefined();
    put("project/package.json", '{"devDependencies":{"prettier":"3"}}');
    const args = ["--write", "--log-level=silent", `${project}/src/a.ts`];
    expect(found("src/a.ts")).toMatchObject({ by: "prettier", program, args, cwd: project });
    put("project/package.json", '{"scripts":{"x":"\\"prettier\\""}}');
    expect(found("src/a.ts")).toBeUndefined();
    put("project/.prettierrc");
    const endings = "js jsx ts tsx mjs cjs json css scss sass less html md mdx yaml yml".split(" ");
    for (const ending of endings) expect(found(`a.${ending}`)?.by, ending).toBe("prettier");
    for (const ending of ["py", "txt", "svg", "lock"]) expect(found(`a.${ending}`), ending).toBeUndefined();
  });

  it("is the installation nearest to the file in a monorepo", () => {
    put("project/node_modules/.bin/prettier");
    put("project/.prettierrc");
    const inner = put("project/packages/x/node_modules/.bin/prettier");
    expect(found("packages/x/src/a.ts")).toMatchObject({ program: inner, cwd: project });
  });

  it("is biome where it is configured, for the file types it supports", () => {
    for (const name of ["prettier", "biome"]) put(`project/node_modules/.bin/${name}`);
    put("project/.prettierrc");
    put("project/biome.json");
    expect(found("a.ts")).toMatchObject({ by: "biome", args: ["format", "--write", `${project}/a.ts`] });
    expect(found("a.md")?.by).toBe("prettier");
  });

  it("is black or ruff as the project configures, from its venv or from the PATH outside the project", () => {
    put("bin/ruff");
    expect(found("a.py")).toBeUndefined();
    put("project/pyproject.toml", "[tool.ruff.lint]\n");
    expect(found("a.py")).toMatchObject({ by: "ruff", program: join(root, "bin/ruff") });
    const inside = put("project/bin/ruff");
    expect(found("a.py", [], `${dirname(inside)}:relative:${root}/bin`)).toMatchObject({
      program: join(root, "bin/ruff"),
      env: { PATH: `${root}/bin` },
    });
    const own = put("project/.venv/bin/black");
    put("project/pyproject.toml", "[tool.black]\n[tool.ruff]\n");
    expect(found("a.py")).toMatchObject({ by: "black", program: own });
  });

  it("is gofmt in a module, and rustfmt where it is configured, with the edition passed", () => {
    for (const name of ["gofmt", "rustfmt"]) put(`bin/${name}`);
    put("project/go.mod");
    expect(found("a.go")).toMatchObject({ by: "gofmt", args: ["-w", `${project}/a.go`] });
    put("project/Cargo.toml", '[package]\nedition = "2021"\n');
    expect(found("a.rs")).toBeUndefined();
    put("project/rustfmt.toml");
    expect(found("a.rs")?.args).toEqual(["--edition", "2021", `${project}/a.rs`]);
  });

  it("is the user's own command first; the path is one argument, whatever it contains", () => {
    put("bin/mine");
    const name = `it's "a" $(b) ; c.TS`;
    const mine = found(name, ["py=x {file}", "js,ts=mine -q {file} --check={file}"]);
    expect(mine).toMatchObject({ by: "mine", program: join(root, "bin/mine"), cwd: project });
    expect(mine?.args).toEqual(["-q", `${project}/${name}`, "--check={file}"]);
    const own = put("project/tools/fmt");
    expect(found("a.zig", ["zig=tools/fmt {file}"])?.program).toBe(own);
    expect(found("a.zig", ["zig=not-there {file}"])).toBeUndefined();
  });

  it("an invalid manifest yields no formatter or an error", () => {
    put("project/node_modules/.bin/prettier");
    put("project/package.json", '{"prettier": ');
    expect(() => found("a.ts")).toThrow();
    put("project/package.json", '{"dependencies": ["prettier"]}');
    expect(found("a.ts")).toBeUndefined();
  });
});

it("lists the code prettier would run: the program and its settings files above the file", () => {
  const program = put("project/node_modules/.bin/prettier");
  const [outer, inner] = [put("project/.prettierrc"), put("project/src/deep/prettier.config.mjs")];
  put("project/src/package.json", '{"devDependencies":{"prettier":"3"}}');
  expect(found("src/deep/a.ts")?.code).toEqual([program, inner, outer]);
  const named = put("project/src/package.json", '{"prettier":{"plugins":["./x.mjs"]}}');
  expect(found("src/deep/a.ts", ["ts=node_modules/.bin/prettier {file}"])?.code).toEqual([
    program,
    inner,
    named,
    outer,
  ]);
});

it("changes since the session began are detected by ctime or by our own records", () => {
  const path = put("project/tool", "x");
  utimesSync(path, 1, 1);
  expect(changedIn({ startedAt: Date.now() - 60_000 }, [path])).toBe(path);
  expect(changedIn({ startedAt: Date.now() + 60_000 }, [path])).toBeUndefined();
  expect(changedIn({ startedAt: Date.now() + 60_000, written: [path] }, [path])).toBe(path);
});

describe("the file to format", () => {
  it("is a regular file of the project, of a size that people write by hand", () => {
    expect(originalOf(put("project/a b.ts", "x"), project)?.content.toString()).toBe("x");
    expect(originalOf(put("outside.ts", "x"), project)).toBeUndefined();
    expect(originalOf(project, project)).toBeUndefined();
    expect(originalOf(`${project}/none.ts`, project)).toBeUndefined();
    for (const name of [".git/config.json", "node_modules/x/a.js", "dist/a.js"])
      expect(originalOf(put(`project/${name}`, "x"), project), name).toBeUndefined();
    expect(originalOf(put("project/large.json", "x".repeat(1024 * 1024 + 1)), project)).toBeUndefined();
  });

  it("is not reached through a link, neither its own nor a directory's", () => {
    symlinkSync(put("outside/a.ts", "x"), `${project}/link.ts`);
    symlinkSync(`${root}/outside`, `${project}/linked`);
    for (const name of ["link.ts", "linked/a.ts"]) expect(originalOf(`${project}/${name}`, project)).toBeUndefined();
  });

  it("is restored when the formatter empties or deletes it", () => {
    const path = put("project/a.ts", "x\n");
    const original = originalOf(path, project);
    if (!original) throw new Error("not there");
    expect(madeOf(path, original)).toBe("same");
    put("project/a.ts", "y\n");
    expect(madeOf(path, original)).toBe("other");
    put("project/a.ts", "");
    expect(madeOf(path, original)).toBe("lost");
    expect(madeOf(path, original)).toBe("same");
    rmSync(path);
    expect(madeOf(path, original)).toBe("lost");
    expect(originalOf(path, project)).toEqual(original);
  });

  it("is not restored through a link in its place", () => {
    const path = put("project/a.ts", "x\n");
    const original = originalOf(path, project);
    const other = put("outside.ts", "");
    rmSync(path);
    symlinkSync(other, path);
    expect(original && madeOf(path, original)).toBe("replaced");
    expect(originalOf(other, root)?.content.length).toBe(0);
  });
});
