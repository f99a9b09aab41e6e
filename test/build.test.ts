/** The build's own promises: letters beyond ASCII in regular expressions, and the licences of bundled libraries. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { escapeNonAscii } from "../scripts/build/ascii.mjs";
import { plainTables } from "../scripts/build/tables.mjs";
import { VOLUMES } from "../scripts/build/volumes.mjs";

const dist = join(import.meta.dirname, "../dist");

async function built(source: string): Promise<string> {
  const { outputFiles } = await build({ stdin: { contents: source }, write: false, minify: true, format: "cjs" });
  return escapeNonAscii(outputFiles[0]?.text ?? "");
}

it.each([
  ["a word", "/キャンセル/", "いまキャンセルして", true],
  ["a class", "/[ぁ-ん]+$/", "です", true],
  ["an astral character without the u flag", "/^(?:🚀)+$/", "🚀🚀", true],
  ["an astral character with the u flag", "/^[🚀🎉]$/u", "🎉", true],
  ["another word", "/中止/", "キャンセル", false],
])("a regular expression may hold %s", async (_, pattern, text, expected) => {
  const code = await built(`globalThis.found = ${pattern}.test(${JSON.stringify(text)}); globalThis.text = "日本";`);
  expect(/^[\0-\x7f]*$/.test(code)).toBe(true);
  const context: Record<string, unknown> = {};
  context["globalThis"] = context;
  runInNewContext(code, context);
  expect([context["found"], context["text"]]).toEqual([expected, "日本"]);
});

it("the bundles that the launcher reads as Latin-1 are ASCII", () => {
  for (const name of ["hook.cjs", ...Object.keys(VOLUMES)])
    expect(readFileSync(join(dist, name)).every((byte) => byte < 0x80)).toBe(true);
});

it.each([
  [
    "a table",
    "var found = {\n  a: 1,\n  b: 2,\n  c: 3,\n  d: {\n    e: 4\n  },\n  f() {\n    return 5;\n  }\n};",
    null,
  ],
  ["the argument of a call", "var found = Object({\n  a: 1,\n  b: 2,\n  c: 3,\n  d: 4,\n  e: 5\n});", null],
  ["a small object", "var found = {\n  a: 1,\n  b: 2\n};", Object.prototype],
  [
    "an object in a function",
    "var found = (() => ({\n  a: 1,\n  b: 2,\n  c: 3,\n  d: 4,\n  e: 5\n}))();",
    Object.prototype,
  ],
])("%s has the prototype that its size asks for, and the same entries", (_, code, prototype) => {
  const evaluated = (text: string): object => new Function(`${text}\nreturn found;`)() as object;
  const plain = evaluated(plainTables(code));
  expect(Object.getPrototypeOf(plain)).toBe(prototype);
  expect(JSON.stringify(plain)).toBe(JSON.stringify(evaluated(code)));
});

interface Library {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly bundles: readonly string[];
}

function shippedLibraries(): readonly Library[] {
  const notices = readFileSync(join(dist, "THIRD_PARTY_NOTICES.txt"), "utf8");
  const heads = notices.matchAll(/^-{80}\n\n(\S+) (\S+) \(([^)]+)\) in (.+)$/gm);
  return [...heads].map(([, name = "", version = "", licence = "", bundles = ""]) => ({
    name,
    version,
    licence,
    bundles: bundles.split(", "),
  }));
}

/** The first table of ADR 0011. */
function decidedLibraries(): readonly Library[] {
  const decision = readFileSync(join(dist, "../docs/adr/0011-dependencies.md"), "utf8");
  const [table = ""] = /^\| Library \| Version .*(?:\n\|.*)+/m.exec(decision) ?? [];
  const rows = table.split("\n").slice(2);
  return rows.map((row) => {
    const [, name = "", version = "", licence = "", bundles = ""] = row.split("|").map((cell) => cell.trim());
    return { name, version, licence, bundles: [...bundles.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file) };
  });
}

it("the licence of every bundled library is shipped", () => {
  const notices = readFileSync(join(dist, "THIRD_PARTY_NOTICES.txt"), "utf8");
  const libraries = shippedLibraries();
  expect(libraries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["@clack/prompts", "js-yaml", "jsonc-parser", "picocolors", "unbash", "yaml"]),
  );
  const grants = /permission is hereby granted|permission to use, copy, modify/gi;
  expect(notices.match(grants)?.length).toBeGreaterThanOrEqual(libraries.length);
});

it("ADR 0011 lists every bundled library with its version, licence and bundles, and no other", () => {
  const byName = (libraries: readonly Library[]) => [...libraries].sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(decidedLibraries())).toEqual(byName(shippedLibraries()));
});

it("a process that answers one event loads no library, except to read a shell command", () => {
  const everyEvent = ["sekisho.cjs", "hook.cjs", "watch.cjs", "context.cjs", "activity.cjs"];
  for (const { name, bundles } of shippedLibraries())
    expect(
      bundles.filter((bundle) => everyEvent.includes(bundle)),
      name,
    ).toEqual([]);
});

it("versions are exact, and the lock file names no registry", () => {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(dist, "../package.json"), "utf8"));
  expect(dependencies).toBeUndefined();
  for (const version of Object.values(devDependencies)) expect(version).toMatch(/^(?:npm:typescript@)?\d+\.\d+\.\d+$/);
  const { packages } = JSON.parse(readFileSync(join(dist, "../package-lock.json"), "utf8")) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
  };
  for (const [path, { resolved, integrity }] of Object.entries(packages)) {
    expect(resolved, path).toBeUndefined();
    if (path !== "") expect(integrity, path).toMatch(/^sha512-/);
  }
});

it("files outside hook.cjs exist and stand in one bundle each", () => {
  const all = Object.values(VOLUMES).flat();
  expect(new Set(all).size).toBe(all.length);
  for (const file of all) expect(() => readFileSync(join(dist, "../src", file))).not.toThrow();
});
