/** The pipelines that come with the program. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planOf } from "../../../pipeline/plan.ts";
import { pipelineIn } from "./read-file.ts";

const PLACE = join(import.meta.dirname, "../../../../plugin/pipelines");
const files = readdirSync(PLACE).filter((name) => name.endsWith(".yaml"));
const all = files.map((name) => {
  const { pipeline, problems } = pipelineIn(readFileSync(join(PLACE, name), "utf8"), name);
  if (!pipeline) throw new Error(name);
  return { pipeline, problems };
});

function named(name: string) {
  const found = all.find(({ pipeline }) => pipeline.name === name);
  if (!found) throw new Error(name);
  return found.pipeline;
}

const order = (name: string, tier: string): string =>
  (planOf(named(name), tier)?.steps ?? []).map(({ step }) => step.id).join(" ");

function stepOf(name: string, id: string) {
  return named(name).steps.find((step) => step.id === id);
}

const M =
  "architect constraints_load discovery_lite spec ui_approval readiness_gate implement wiring status_sync quality_gate dod_verification";
const L = M.replace("discovery_lite", "discovery_full").replace("quality_gate", "priority_calc quality_gate");

describe("the pipelines that come with Sekisho", () => {
  it("PL-1 there are four, and nothing is wrong with them", () => {
    expect(all.map(({ pipeline }) => pipeline.name).sort()).toEqual([
      ...["BUG_FIX", "INFRA_DEPLOY", "MODIFY_FEATURE", "NEW_FEATURE"],
    ]);
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it.each([
    ["PL-6", "NEW_FEATURE", "XS", "implement quality_gate"],
    ["PL-6", "NEW_FEATURE", "S", "architect spec ui_approval readiness_gate implement quality_gate dod_verification"],
    ["PL-6", "NEW_FEATURE", "M", M],
    ["PL-6", "NEW_FEATURE", "L", L],
    ["PL-6", "NEW_FEATURE", "XL", L],
    ["PL-7", "MODIFY_FEATURE", "XS", "implement quality_gate"],
    ["PL-7", "MODIFY_FEATURE", "S", "spec_update ui_approval readiness_gate implement quality_gate dod_verification"],
    [
      ...["PL-7", "MODIFY_FEATURE", "M"],
      "spec_update impact_analysis ui_approval readiness_gate implement wiring status_sync quality_gate dod_verification",
    ],
    [
      ...["PL-7", "MODIFY_FEATURE", "L"],
      "spec_update impact_analysis ui_approval readiness_gate implement wiring status_sync priority_calc quality_gate dod_verification",
    ],
    ["PL-8", "BUG_FIX", "default", "analyze root_cause regression_test fix quality_gate dod_verification"],
    ["PL-9", "INFRA_DEPLOY", "S", "validate plan apply health_check"],
    ["PL-9", "INFRA_DEPLOY", "M", "validate plan approval_gate apply health_check rollback_verify"],
  ] as [string, string, string, string][])("%s the order of %s %s", (_, name, tier, steps) => {
    expect(order(name, tier)).toBe(steps);
  });

  it("PL-8 a fix waits for the red test, by name of the step", () => {
    const fix = planOf(named("BUG_FIX"), "default")?.steps.find(({ step }) => step.id === "fix");
    expect(fix).toMatchObject({ after: ["regression_test"], red: "regression_test", step: { tddPhase: "green" } });
  });

  it("PL-9 a person approves the plan, and the last step only describes", () => {
    expect(stepOf("INFRA_DEPLOY", "approval_gate")).toMatchObject({ requiresUser: true, gate: { type: "human" } });
    expect(stepOf("INFRA_DEPLOY", "rollback_verify")).toMatchObject({ optional: true, commands: [] });
  });

  it.each([
    ["NEW_FEATURE", "architect", 2],
    ["NEW_FEATURE", "spec", 2],
    ["NEW_FEATURE", "readiness_gate", 2],
    ["NEW_FEATURE", "implement", 3],
    ["NEW_FEATURE", "quality_gate", 3],
    ["BUG_FIX", "fix", 3],
    ["INFRA_DEPLOY", "validate", 1],
    ["INFRA_DEPLOY", "plan", 2],
    ["INFRA_DEPLOY", "apply", 1],
    ["INFRA_DEPLOY", "health_check", 5],
  ])("PL-10 %s %s is retried %i times at most", (name, id, max) => {
    expect(stepOf(name, id)?.retry.max).toBe(max);
  });

  it("PL-10 the quality gate repairs what it can, and the health check waits", () => {
    for (const name of ["NEW_FEATURE", "MODIFY_FEATURE", "BUG_FIX"])
      expect(stepOf(name, "quality_gate")?.retry.autoFix).toBe(true);
    expect(stepOf("INFRA_DEPLOY", "health_check")?.retry.intervalSeconds).toBe(15);
  });

  it("PL-11 every compensation leads where it should", () => {
    const elsewhere = all.flatMap(({ pipeline }) =>
      pipeline.steps.flatMap(({ id, compensation }) =>
        compensation && compensation.revertTo !== id ? `${pipeline.name} ${id} → ${compensation.revertTo}` : [],
      ),
    );
    expect(elsewhere.sort()).toEqual([
      "BUG_FIX dod_verification → fix",
      "INFRA_DEPLOY apply → plan",
      "INFRA_DEPLOY approval_gate → plan",
      "MODIFY_FEATURE dod_verification → implement",
      "MODIFY_FEATURE readiness_gate → spec_update",
      "NEW_FEATURE discovery_full → architect",
      "NEW_FEATURE discovery_lite → architect",
      "NEW_FEATURE dod_verification → implement",
      "NEW_FEATURE readiness_gate → spec",
    ]);
  });

  it("PL-12 the limits of whole runs", () => {
    const limits = all.map(({ pipeline }) => [pipeline.name, pipeline.global.maxTotalRetries]);
    expect(Object.fromEntries(limits)).toEqual({ NEW_FEATURE: 10, MODIFY_FEATURE: 8, BUG_FIX: 6, INFRA_DEPLOY: 10 });
    for (const { pipeline } of all)
      expect(pipeline.global).toMatchObject({
        evidenceCaching: true,
        modelFallback: { enabled: true, order: ["haiku", "sonnet", "opus"], maxFailuresBeforeEscalation: 3 },
      });
  });

  it("PL-15 the batches of a new feature, in order", () => {
    const batches = stepOf("NEW_FEATURE", "implement")?.batches.map(({ name, parallel }) => [name, parallel]);
    expect(batches).toEqual([
      ["Data", true],
      ["Logic", false],
      ["Presentation", false],
      ["Test", false],
    ]);
  });

  it.each([
    ["NEW_FEATURE", "schema_validation upstream_contract tech_contract implementation_safety ui_flow_contract"],
    ["MODIFY_FEATURE", "schema_validation upstream_contract change_impact_safety ui_flow_contract"],
  ])("PL-16 what the readiness gate of %s looks at", (name, checks) => {
    expect(
      stepOf(name, "readiness_gate")
        ?.checks.map((check) => check.name)
        .join(" "),
    ).toBe(checks);
    expect(stepOf(name, "readiness_gate")?.gate?.type).toBe("ai");
    expect(stepOf(name, "ui_approval")).toMatchObject({ requiresUser: true, gate: { type: "human" } });
  });

  it("PL-16 quality is decided by evidence of the project's own checks, architecture by an agent", () => {
    const checks = [
      { name: "lint_analyze", by: "evidence", checks: ["lint", "typecheck"] },
      { name: "test", by: "evidence", checks: ["test"] },
    ];
    expect(stepOf("BUG_FIX", "quality_gate")).toMatchObject({ checks, gate: { type: "machine" } });
    expect(stepOf("NEW_FEATURE", "quality_gate")?.checks).toEqual([
      ...checks,
      { name: "architecture_check", by: "agent" },
    ]);
  });

  it("PL-17 the completion contracts", () => {
    const counts = all.map(({ pipeline }) => [pipeline.name, pipeline.baseDod.length]);
    expect(Object.fromEntries(counts)).toEqual({ NEW_FEATURE: 10, MODIFY_FEATURE: 8, BUG_FIX: 6, INFRA_DEPLOY: 0 });
    const unproven = all.flatMap(({ pipeline }) =>
      pipeline.baseDod.filter(({ type, checks, steps }) => type === "machine" && checks.length + steps.length === 0),
    );
    expect(unproven).toEqual([]);
  });
});

it("the examples of docs/pipelines.md have no problems", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/pipelines.md"), "utf8");
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(2);
  const whole = blocks.map((block) => (block.includes("\nname:") ? block : `name: X\n${block}`));
  expect(whole.flatMap((block) => pipelineIn(block, "docs/pipelines.md").problems)).toEqual([]);
});
