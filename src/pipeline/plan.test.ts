import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pipeline, Step } from "./definition.ts";
import { isNamed } from "./naming.ts";
import { planOf } from "./plan.ts";

const made = (id: string, dependsOn: readonly string[] | null): Pick<Step, "id" | "dependsOn" | "tddPhase"> => ({
  ...{ id, dependsOn, tddPhase: null },
});

function pipelineOf(tier: readonly string[], ...steps: readonly ReturnType<typeof made>[]): Pipeline {
  return { tiers: [{ name: "Small", steps: tier }], steps } as unknown as Pipeline;
}

function afterIn(pipeline: Pipeline, id: string): readonly string[] | undefined {
  return planOf(pipeline, "small")?.steps.find(({ step }) => step.id === id)?.after;
}

describe("the plan of a tier", () => {
  it("a step comes after the one above it, unless it says otherwise", () => {
    const pipeline = pipelineOf(
      ["a", "b", "c", "d"],
      made("a", null),
      made("b", null),
      made("c", ["a"]),
      made("d", []),
    );
    expect(["a", "b", "c", "d"].map((id) => afterIn(pipeline, id))).toEqual([[], ["a"], ["a"], []]);
  });

  it("what it depends on outside its tier is replaced by what that depends on", () => {
    const pipeline = pipelineOf(["a", "c"], made("a", null), made("b", ["a"]), made("c", ["b"]));
    expect(afterIn(pipeline, "c")).toEqual(["a"]);
  });

  it("no step comes after a later one, whatever they depend on", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const step = fc.option(fc.subarray(ids));
    fc.assert(
      fc.property(fc.array(step, { minLength: 6, maxLength: 6 }), fc.subarray(ids), (depends, tier) => {
        const pipeline = pipelineOf(tier, ...ids.map((id, at) => made(id, depends[at] ?? null)));
        for (const [at, { after }] of (planOf(pipeline, "Small")?.steps ?? []).entries())
          expect(after.every((id) => tier.indexOf(id) >= 0 && tier.indexOf(id) < at)).toBe(true);
      }),
    );
  });

  it("a tier that the pipeline does not have has no plan", () => {
    expect(planOf(pipelineOf(["a"], made("a", null)), "L")).toBeUndefined();
  });

  it.each([
    ["NEW_FEATURE", "new-feature", true],
    ["NEW_FEATURE", "New_Feature.yaml", true],
    ["new feature", "NEW_FEATURE", true],
    ["NEW_FEATURE", "feature", false],
  ])("PL-3 %s is found as %s: %s", (name, given, found) => {
    expect(isNamed(name, given)).toBe(found);
  });
});
