import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operationOf } from "../kernel/operation.ts";
import { standingText } from "./standing-text.ts";

const project = mkdtempSync(join(tmpdir(), "sekisho-text-"));
const at = (name: string): string => join(project, name);
const seen = (command: string): ReturnType<typeof standingText> =>
  standingText(
    operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd: project, home: "/home/dev" }),
    project,
  );

writeFileSync(at("a.test.ts"), "it();\n");
mkdirSync(at("tests"));

it("what stands there now, in files that a command changes, copies or names", () => {
  expect(seen("rm a.test.ts missing.ts")).toEqual({ [at("a.test.ts")]: { text: "it();\n" } });
  expect(seen("mv a.test.ts tests")[at("tests")]).toEqual({});
  expect(seen("cp a.test.ts tests")[at("tests/a.test.ts")]).toBeUndefined();
  expect(seen(`python3 -c "open('a.test.ts','w')"`)[at("a.test.ts")]).toEqual({ text: "it();\n" });
  expect(seen("git apply <<'EOF'\n--- a/a.test.ts\n+++ b/a.test.ts\nEOF")[at("a.test.ts")]).toEqual({
    text: "it();\n",
  });
});

it("what is too large, a pipe, or leads nowhere is there and has no text", () => {
  writeFileSync(at("large.test.ts"), "x".repeat(600 * 1024));
  execFileSync("mkfifo", [at("pipe.test.ts")]);
  symlinkSync(at("nowhere"), at("link.test.ts"));
  const found = seen("rm large.test.ts pipe.test.ts link.test.ts");
  expect(found).toEqual({ [at("large.test.ts")]: {}, [at("pipe.test.ts")]: {}, [at("link.test.ts")]: {} });
});

it("reads a file when it is asked about, and once", () => {
  writeFileSync(at("b.test.ts"), "first");
  const found = seen("rm b.test.ts");
  writeFileSync(at("b.test.ts"), "second");
  expect(found[at("b.test.ts")]).toEqual({ text: "second" });
  writeFileSync(at("b.test.ts"), "third");
  expect(found[at("b.test.ts")]).toEqual({ text: "second" });
});

it("without an operation there is nothing to look at", () => {
  expect(standingText(undefined, project)).toEqual({});
});
