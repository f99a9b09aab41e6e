/** Documents name files that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const documents = [
  ...["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "README.ja.md"],
  ...readdirSync(join(import.meta.dirname, "../docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** The recipe in docs/write-a-policy.md writes this file. */
const recipe = "src/policies/quality/no-lockfile-edit.ts";
const decisions = readdirSync(join(root, "docs/adr")).map((name) => `docs/adr/${name}`);
const read = (document: string): string => readFileSync(join(root, document), "utf8");

/** Paths in backticks from the project's root: `src/…`, `test/…`, `scripts/…`, `docs/…`, `plugin/…`. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|test|scripts|docs|plugin)\/[\w./-]*)`/g)].flatMap(([, path]) => path ?? []);
}

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].flatMap(([, path]) => path ?? []);
}

/** The examples of docs/policies.md name files of nobody. */
describe.each(documents.filter((document) => document !== "docs/policies.md"))("%s", (document) => {
  it("names paths that exist", () => {
    const missing = pathsIn(read(document)).filter((path) => !existsSync(join(root, path)));
    expect(missing.filter((path) => path !== recipe)).toEqual([]);
  });
});

it("the recipe for a policy imports files that exist", () => {
  const blocks = [...read("docs/write-a-policy.md").matchAll(/^```ts\n(.*?)^```/gms)].flatMap(
    ([, block]) => block ?? [],
  );
  const imported = [...blocks.join("").matchAll(/from "(\.[^"]+)"/g)].flatMap(([, path]) => path ?? []);
  const files = imported.map((path) => join(dirname(recipe), path));
  expect(files).toContain(recipe);
  expect(files.filter((path) => path !== recipe && !existsSync(join(root, path)))).toEqual([]);
});

it("the table of ARCHITECTURE.md leads to a path in every row", () => {
  const [, table = ""] = read("ARCHITECTURE.md").split("## You want → go to");
  const rows = (table.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\| (?!You want|---)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => pathsIn(row).length === 0)).toEqual([]);
});

it.each([...documents, ...decisions])("%s links to files that exist", (document) => {
  const missing = linksIn(read(document)).filter((path) => !existsSync(join(root, dirname(document), path)));
  expect(missing).toEqual([]);
});

it.each(["README.md", "README.ja.md"])("%s has at most 150 lines", (document) => {
  expect(read(document).split("\n").length).toBeLessThanOrEqual(151);
});

it("the index of decisions lists every decision", () => {
  const index = read("docs/adr/README.md");
  const missing = decisions.filter(
    (path) => /\/\d{4}-/.test(path) && !index.includes(`(${path.slice("docs/adr/".length)})`),
  );
  expect(missing).toEqual([]);
});
