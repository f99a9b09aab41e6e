/** A folder can be read at a glance. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const src = join(import.meta.dirname, "../src");
const entries = readdirSync(src, { recursive: true, withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));

it.each(folders.map((folder) => relative(src, folder)))("src/%s says in a README what it holds", (folder) => {
  const text = readFileSync(join(src, folder, "README.md"), "utf8");
  expect(text.length).toBeGreaterThan(20);
  expect(text.split("\n").length).toBeLessThan(8);
});

it("no folder has more than 42 source files", () => {
  const size = (folder: string): number =>
    readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).length;
  const large = folders
    .map((folder) => [relative(src, folder), size(folder)] as const)
    .filter(([, count]) => count > 42);
  expect(large).toEqual([]);
});
