import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pipelineIn } from "../app/queries/pipelines/read-file.ts";
import { planOf } from "../pipeline/plan.ts";
import { planView } from "./pipeline.ts";
import { graphOf } from "./pipeline-graph.ts";

const file = join(import.meta.dirname, "../../plugin/pipelines/infra-deploy.yaml");

function plan() {
  const { pipeline } = pipelineIn(readFileSync(file, "utf8"), "infra-deploy.yaml");
  const found = pipeline && planOf(pipeline, "M");
  if (!found) throw new Error("no plan");
  return found;
}

describe("a tier as a picture", () => {
  it("in Mermaid: gates, ways forward and ways back", () => {
    expect(graphOf(plan(), "mermaid").split("\n")).toEqual([
      "flowchart TD",
      '  s1[["validate"]]',
      '  s2[["plan"]]',
      '  s3{{"approval_gate (person)"}}',
      '  s4[["apply"]]',
      '  s5[["health_check"]]',
      '  s6[["rollback_verify"]]',
      ...["  s1 --> s2", "  s2 --> s3", "  s3 --> s4", "  s4 --> s5", "  s5 --> s6"],
      ...["  s3 -. back .-> s2", "  s4 -. back .-> s2"],
    ]);
  });

  it("in plain letters, within 80 columns", () => {
    const lines = graphOf(plan(), "ascii").split("\n");
    expect(lines).toContain("  ? approval_gate    a person, back to plan");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it("PL-13 the models of a step rise from its own, and only where a model is used", () => {
    const text =
      "name: X\nmax_model: sonnet\nsteps:\n  a: { prompt: p }\n  b: { prompt: p, model: sonnet }\n  c: { type: gate, checks: test }\n";
    const { pipeline } = pipelineIn(text, "x.yaml");
    const found = pipeline && planOf(pipeline, "default");
    if (!found) throw new Error("no plan");
    expect(planView(found).steps.map(({ by, models }) => [by, models])).toEqual([
      ["agent", ["haiku", "sonnet"]],
      ["agent", ["sonnet"]],
      ["evidence", []],
    ]);
  });
});
