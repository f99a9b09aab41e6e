/** The protection of tests on the built program: when enabled, with every tool, and silent otherwise. */
import { expect, it } from "vitest";
import { verdictOf } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

const TEXT = `it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n`;

function guarded(tests: "off" | "ask" | "deny" | undefined): Stage {
  const stage = openStage();
  if (tests !== undefined) stage.write(".sekisho/config.yaml", `quality:\n  tests: ${tests}\n`);
  stage.write("src/a.test.ts", TEXT);
  return stage;
}

function verdicts(stage: Stage): Readonly<Record<string, string>> {
  const file = `${stage.project}/src/a.test.ts`;
  const edit = (old_string: string, new_string: string): string =>
    verdictOf(stage.use("Edit", { file_path: file, old_string, new_string }));
  return {
    weaken: edit("expect(add(1, 2)).toBe(3);", ""),
    skip: edit("it(", "it.skip("),
    sharpen: edit("toBe(3)", "toStrictEqual(3)"),
    empty: verdictOf(stage.use("Write", { file_path: file, content: "" })),
    fresh: verdictOf(stage.use("Write", { file_path: `${stage.project}/src/b.test.ts`, content: "" })),
    generated: verdictOf(stage.use("Write", { file_path: `${stage.project}/src/b.d.ts`, content: "" })),
    delete: verdictOf(stage.bash("rm src/a.test.ts")),
    sed: verdictOf(stage.bash("sed -i '/toBe(3)/d' src/a.test.ts")),
    code: verdictOf(stage.use("Write", { file_path: `${stage.project}/src/a.ts`, content: "" })),
  };
}

const UNTOUCHED = { sharpen: "pass", fresh: "pass", code: "pass" };

it("TS-36 when enabled, weakening a test is refused and the rest passes", () => {
  const refused = { weaken: "deny", skip: "deny", empty: "deny", generated: "deny", delete: "deny", sed: "deny" };
  expect(verdicts(guarded("deny"))).toEqual({ ...refused, ...UNTOUCHED });
});

it("TS-36 by default nothing is asked", () => {
  const open = { weaken: "pass", skip: "pass", empty: "pass", generated: "pass", delete: "pass", sed: "pass" };
  expect(verdicts(guarded(undefined))).toEqual({ ...open, ...UNTOUCHED });
});

it("MD-71 a script of the session that deletes a test is refused too", () => {
  const stage = guarded("deny");
  stage.use("Write", { file_path: `${stage.project}/weak.sh`, content: "rm src/a.test.ts\n" });
  stage.write("weak.sh", "rm src/a.test.ts\n");
  const answer = stage.bash("sh weak.sh");
  expect(verdictOf(answer)).toBe("deny");
  expect(answer.stderr).toContain("weak.sh");
});

it("MD-72 a refusal does not block honest work on the same file", () => {
  const stage = guarded("deny");
  const file = `${stage.project}/src/a.test.ts`;
  stage.write("public/a.min.js", "x");
  expect(verdictOf(stage.use("Write", { file_path: file, content: "" }))).toBe("deny");
  expect(verdictOf(stage.use("Edit", { file_path: file, old_string: "it(", new_string: "it.only(" }))).toBe("deny");
  expect(verdictOf(stage.bash("rm src/a.test.ts"))).toBe("deny");
  expect(verdictOf(stage.use("Write", { file_path: `${stage.project}/public/a.min.js`, content: "y" }))).toBe("deny");

  expect(verdictOf(stage.bash("sed -i 's/toBe(3)/toEqual(3)/' src/a.test.ts"))).toBe("pass");
  expect(verdictOf(stage.use("Edit", { file_path: file, old_string: "toBe(3)", new_string: "toEqual(3)" }))).toBe(
    "pass",
  );
  expect(verdictOf(stage.bash("npx terser src/a.js > public/a.min.js"))).toBe("pass");
  expect(verdictOf(stage.bash("npx vitest run src/a.test.ts"))).toBe("pass");
});
