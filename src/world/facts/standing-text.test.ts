import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { standingText } from "./standing-text.ts";

const project = tempDirectory("text");
const at = (name: string): string => join(project, name);
const seen = (command: string): ReturnType<typeof standingText> =>
  standingText(
    operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd: project, home: "/home/dev" }),
    project,
  );

writeFileSync(at("a.test.ts"), "it();\n");
mkdirSync(at("tests"));

it("gives the current text of files that a command changes, copies or names", () => {
  expect(seen("rm a.test.ts missing.ts")).toEqual({ [at("a.test.ts")]: { text: "it();\n" } });
  expect(seen("mv a.test.ts tests")[at("tests")]).toEqual({});
  expect(seen("cp a.test.ts tests")[at("tests/a.test.ts")]).toBeUndefined();
  expect(seen(`python3 -c "open('a.test.ts','w')"`)[at("a.test.ts")]).toEqual({ text: "it();\n" });
  expect(seen("git apply <<'EOF'\n--- a/a.test.ts\n+++ b/a.test.ts\nEOF")[at("a.test.ts")]).toEqual({
    text: "it();\n",
  });
});

it("a large file, a pipe and a dangling link are present without text", () => {
  writeFileSync(at("large.test.ts"), "x".repeat(600 * 1024));
  execFileSync("mkfifo", [at("pipe.test.ts")]);
  symlinkSync(at("nowhere"), at("link.test.ts"));
  const found = seen("rm large.test.ts pipe.test.ts link.test.ts");
  expect(found).toEqual({ [at("large.test.ts")]: {}, [at("pipe.test.ts")]: {}, [at("link.test.ts")]: {} });
});

it("reads each file on first access, and once", () => {
  writeFileSync(at("b.test.ts"), "first");
  const found = seen("rm b.test.ts");
  writeFileSync(at("b.test.ts"), "second");
  expect(found[at("b.test.ts")]).toEqual({ text: "second" });
  writeFileSync(at("b.test.ts"), "third");
  expect(found[at("b.test.ts")]).toEqual({ text: "second" });
});

it("without an operation there are no files", () => {
  expect(standingText(undefined, project)).toEqual({});
});
