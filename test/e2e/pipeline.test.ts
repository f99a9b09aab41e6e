/** `sekisho pipeline`: what people and agents see before anything runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectFailure } from "./day.ts";
import { openStage } from "./stage.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/pipelines");
const SMALL =
  "name: SMALL\nversion: 1.0.0\nsteps:\n  - { id: look, prompt: Look. }\n  - { id: check, type: gate, checks: test }\n";

type Stage = ReturnType<typeof openStage>;
function told<T>(stage: Stage, ...args: readonly string[]): T {
  return JSON.parse(stage.sekisho("pipeline", ...args, "--json").stdout) as T;
}

describe("sekisho pipeline", () => {
  it("PL-1 lists our own directory first, then the client's, then what comes with Sekisho", () => {
    const stage = openStage();
    stage.write(".sekisho/pipelines/small.yaml", SMALL);
    stage.write(".claude/pipelines/bug.yml", SMALL.replace("SMALL", "BUG_FIX"));
    interface Row {
      readonly name: string;
      readonly origin: string;
      readonly shadowed: boolean;
    }
    const { schema_version, pipelines } = told<{ schema_version: number; pipelines: Row[] }>(stage, "list");
    expect(schema_version).toBe(1);
    expect(pipelines.map(({ name, origin, shadowed }) => [name, origin, shadowed])).toEqual([
      ["SMALL", "project", false],
      ["BUG_FIX", "host", false],
      ["BUG_FIX", "shipped", true],
      ["INFRA_DEPLOY", "shipped", false],
      ["MODIFY_FEATURE", "shipped", false],
      ["NEW_FEATURE", "shipped", false],
    ]);
    expect(stage.sekisho("pipeline", "graph", "bug-fix").stdout).toContain("look");
  });

  it("PL-5 validate names file and line, and exits with 2 if there is an error", () => {
    const stage = openStage();
    stage.write(".sekisho/pipelines/small.yaml", SMALL);
    expect(stage.sekisho("pipeline", "validate")).toMatchObject({ code: 0 });
    stage.write(
      ".sekisho/pipelines/small.yaml",
      SMALL.replace("prompt: Look.", "modle: opus, run: no-such-program -x"),
    );
    const { code, stdout } = stage.sekisho("pipeline", "validate", "small");
    expect(code).toBe(2);
    expect(stdout).toMatch(/\.sekisho\/pipelines\/small\.yaml:4 {2}error {2}“modle” is not a field here/);
    expect(stdout).toMatch(/small\.yaml:4 {2}error {2}The program “no-such-program” is not on this machine/);
    expectFailure(
      stage.sekisho("pipeline", "run", "small", "--dry-run"),
      /has errors: `sekisho pipeline validate SMALL`/,
    );
  });

  it("PL-5 what a file of another project needs is a warning, and a missing script has a line", () => {
    const stage = openStage();
    stage.write("package.json", JSON.stringify({ scripts: { "test:unit": "true" } }));
    const text = SMALL.replace("prompt: Look.", "run: npm run test:unti && ./gone.sh");
    stage.write("elsewhere.yaml", text);
    stage.write(".sekisho/pipelines/small.yaml", text);
    interface Told {
      readonly files: readonly { readonly problems: readonly { rule: string; at: string; better: string }[] }[];
    }
    const rulesOf = (path: string): readonly string[] | undefined =>
      told<Told>(stage, "validate", path).files[0]?.problems.map(({ rule }) => rule);
    expect(stage.sekisho("pipeline", "validate", "elsewhere.yaml").code).toBe(0);
    expect(rulesOf("elsewhere.yaml")).toEqual(["missing-script-here", "missing-here"]);
    expect(rulesOf(".sekisho/pipelines/small.yaml")).toEqual(["missing-script", "missing-program"]);
    expect(stage.sekisho("pipeline", "validate", "elsewhere.yaml").stdout).toContain("test:unit");
  });

  it("PL-20 a dry run shows the tier that was asked for, or the one that fits, and writes nothing", () => {
    const stage = openStage();
    interface Told {
      readonly dry_run: boolean;
      readonly tier: string;
      readonly chosen_by: string;
      readonly steps: readonly { readonly id: string }[];
    }
    const asked = told<Told>(stage, "run", "new-feature", "--dry-run", "--tier", "xs");
    expect(asked).toMatchObject({ dry_run: true, tier: "XS", chosen_by: "asked" });
    expect(asked.steps.map(({ id }) => id)).toEqual(["implement", "quality_gate"]);
    expect(told<Told>(stage, "run", "new-feature", "--dry-run", "--files", "31").tier).toBe("XL");
    expect(told<Told>(stage, "run", "new-feature", "--dry-run", "--files", "4").tier).toBe("M");
    expect(stage.sekisho("pipeline", "run", "bug-fix", "--dry-run").stdout).toContain("Nothing was run.");
    expectFailure(stage.sekisho("pipeline", "run", "new-feature", "--dry-run"), /NEW_FEATURE has XS, S, M, L, XL/);
    expectFailure(stage.sekisho("pipeline", "run", "new-feature", "--dry-run", "--tier", "XM"), /no tier “XM”/);
  });

  it("IN-49 a command chain becomes a pipeline, and its audits become gates", () => {
    const stage = openStage();
    stage.write("chain.yaml", readFileSync(join(FIXTURES, "chain.yaml"), "utf8"));
    const { code, stdout } = stage.sekisho("pipeline", "import", "chain.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain("Line 6 of the original is not valid YAML");
    expect(stage.sekisho("pipeline", "validate", "bugfix").code).toBe(0);
    interface Told {
      readonly steps: readonly { readonly id: string; readonly after: readonly string[]; readonly type: string }[];
    }
    const { steps } = told<Told>(stage, "run", "bugfix", "--dry-run");
    expect(steps.map(({ id, type, after }) => [id, type, after])).toEqual([
      ["investigate", "work", []],
      ["fix", "work", ["investigate"]],
      ["fix_audit", "gate", ["fix"]],
      ["verify", "work", ["investigate", "fix_audit"]],
    ]);
    expectFailure(stage.sekisho("pipeline", "import", "chain.yaml"), /already there\. Nothing was changed/);
    expectFailure(stage.sekisho("pipeline", "import", "chain.yaml", "--as", "../x"), /no name/);
  });

  it("a pipeline that comes with Sekisho can be copied and changed", () => {
    const stage = openStage();
    stage.write(".sekisho/pipelines/bug-fix.yaml", stage.sekisho("pipeline", "show", "BUG_FIX").stdout);
    expect(stage.sekisho("pipeline", "validate", ".sekisho/pipelines/bug-fix.yaml").code).toBe(0);
  });

  it("the schema for editors is the one that is shipped", () => {
    const shipped = readFileSync(join(import.meta.dirname, "../../plugin/pipelines/pipeline.schema.json"), "utf8");
    expect(JSON.parse(openStage().sekisho("pipeline", "schema").stdout)).toEqual(JSON.parse(shipped));
  });

  it("an agent may look and validate, and not run", () => {
    const stage = openStage();
    expect(stage.bash("npx sekisho pipeline validate && npx sekisho pipeline graph bug-fix").code).toBe(0);
    expect(stage.bash("npx sekisho pipeline run bug-fix").code).toBe(2);
  });
});
