import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { treeAt } from "./project-tree.ts";

function project(): string {
  const root = join(tempDirectory("tree"), "project");
  mkdirSync(join(root, ".config", "mise"), { recursive: true });
  writeFileSync(join(root, "Makefile"), "test:");
  writeFileSync(join(root, ".config", "mise.toml"), "[tasks]");
  writeFileSync(join(root, "..", "common.mk"), "lint:");
  return root;
}

describe("the files of a project", () => {
  it("are found at its root, below and beside it", () => {
    const { text, has, named } = treeAt(project());
    expect(["Makefile", ".config/mise.toml", "./Makefile", "../common.mk"].map(text)).toEqual([
      "test:",
      "[tasks]",
      "test:",
      "lint:",
    ]);
    expect(["justfile", "mise-tasks/test", ".config/other.toml"].map(text)).toEqual([undefined, undefined, undefined]);
    expect([has("justfile", "Makefile"), has("justfile")]).toEqual([true, false]);
    expect([named("Makefile"), named("*file"), named("*.sln")]).toEqual([["Makefile"], ["Makefile"], []]);
  });

  it("are found in a directory that cannot be listed", () => {
    const root = project();
    chmodSync(root, 0o311);
    expect(treeAt(root).text("Makefile")).toBe("test:");
    chmodSync(root, 0o700);
  });

  it("are none in a directory that is not there", () => {
    const { text, has, named } = treeAt(join(project(), "nowhere"));
    expect([text("Makefile"), has("Makefile"), named("*.sln")]).toEqual([undefined, false, []]);
  });
});
