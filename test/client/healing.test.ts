/** Advice after a failed edit in the real host, also when our formatter caused the failure. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";

const edit = (file_path: string, old_string: string, new_string: string, id?: string) =>
  use("Edit", { file_path, old_string, new_string }, id);

/** Messages of ours that first reached the model with the result of this call. */
function heardAfter({ requests }: Session, call: string): readonly string[] {
  const at = requests.findIndex(({ results }) => results.has(call));
  const [before = "", body = ""] = [requests[at - 1]?.body, requests[at]?.body];
  return body.split("Sekisho: ").slice(before.split("Sekisho: ").length);
}

describe("MD-80 a failed edit", () => {
  it("gets the advice for its kind once, with the next request", async () => {
    const stage = openStage();
    const file = join(stage.project, "hello.txt");
    const session = await stage.session([
      use("Read", { file_path: file }),
      edit(file, "not there", "x", "missing"),
      edit(file, "o", "x", "ambiguous"),
      edit(join(stage.project, "none.txt"), "o", "x", "no-file"),
      edit(file, "hello", "String to replace not found in file.", "fine"),
    ]);
    expect(session.told("missing")).toContain("String to replace not found");
    expect(heardAfter(session, "missing")).toEqual([
      expect.stringContaining("is not in hello.txt. Read it again, then edit"),
    ]);
    expect(heardAfter(session, "ambiguous")).toEqual([expect.stringContaining("or set replace_all")]);
    expect(heardAfter(session, "no-file")).toEqual([
      expect.stringContaining("Check the path, or make the file with Write"),
    ]);
    expect(heardAfter(session, "fine")).toEqual([]);
    expect(stage.call("missing")).toMatchObject({ outcome: "invalid" });
    expect(stage.call("fine")).toMatchObject({ outcome: "success" });
  });
});

/** A fake prettier: collapses runs of spaces. */
function withFormatter(stage: Stage): void {
  stage.write("package.json", '{"devDependencies":{"prettier":"3"}}');
  stage.write("node_modules/.bin/prettier", `#!/bin/sh\nfor file; do :; done\nsed -i 's/  */ /g' "$file"\n`);
  chmodSync(join(stage.project, "node_modules/.bin/prettier"), 0o755);
  stage.write(".sekisho/config.local.yaml", "format: { enabled: true }\n");
}

describe("MD-82 with the formatter enabled", () => {
  it("an edited file is reformatted, the agent is told, and a stale edit is explained", async () => {
    const stage = openStage({ "a.ts": "let x = 1;\n" });
    withFormatter(stage);
    const file = join(stage.project, "a.ts");
    const session = await stage.session([
      use("Read", { file_path: file }),
      edit(file, "let x = 1;", "let  x   =  2;", "first"),
      edit(file, "let  x   =  2;", "let y = 3;", "stale"),
      use("Read", { file_path: file }),
      edit(file, "let x = 2;", "let y = 3;", "again"),
    ]);
    expect(heardAfter(session, "first")).toEqual([
      expect.stringContaining("a.ts was reformatted by prettier after this edit"),
    ]);
    expect(session.told("stale")).toContain("not found");
    expect(heardAfter(session, "stale")).toEqual([
      expect.stringContaining("It was reformatted by prettier after an edit."),
    ]);
    expect(stage.call("again")).toMatchObject({ outcome: "success" });
    expect(stage.read("a.ts")).toBe("let y = 3;\n");
    expect(stage.audit().filter(({ event }) => event === "format")).toHaveLength(1);
  });
});
