import { describe, expect, it } from "vitest";
import { atLeastModel, ESCALATES_AT, modelFor, personaOf, type Work } from "./model-ladder.ts";

const work = (more: Partial<Work>): Work => ({
  risk: "medium",
  grade: "logged_only",
  score: 0.5,
  autonomy: 0.75,
  consecutiveFailures: 0,
  ...more,
});

describe("the model for a task", () => {
  it.each<[string, Partial<Work>, string]>([
    ["blocked and critical", { grade: "blocked", risk: "critical", score: 1, autonomy: 1 }, "opus"],
    ["hardly trusted", { score: 0.39 }, "opus"],
    ["trusted just enough", { score: 0.4 }, "sonnet"],
    ["with little autonomy, medium", { autonomy: 0.59 }, "opus"],
    ["with little autonomy, high", { autonomy: 0.59, risk: "high" }, "opus"],
    ["with just enough autonomy", { autonomy: 0.6, risk: "high" }, "sonnet"],
    ["with little autonomy, low", { autonomy: 0.59, risk: "low" }, "sonnet"],
    ["approved and low", { grade: "auto_approved", risk: "low" }, "haiku"],
    ["approved and medium", { grade: "auto_approved" }, "sonnet"],
    ["only logged and low", { risk: "low" }, "sonnet"],
  ])("TR-70 %s", (_, more, model) => {
    expect(modelFor(work(more))).toBe(model);
  });

  it("TR-74 low-risk work never needs the highest model, even for a new agent", () => {
    expect(modelFor(work({ risk: "low", grade: "auto_approved", score: 0.3, autonomy: 0.839 }))).toBe("haiku");
    expect(modelFor(work({ risk: "low", grade: "logged_only", score: 0, autonomy: 0.77 }))).toBe("sonnet");
  });

  it("TR-113 is one step higher after three failures in a row, up to the highest", () => {
    const failing = (more: Partial<Work>, consecutiveFailures: number) =>
      modelFor(work({ ...more, consecutiveFailures }));
    const low = { risk: "low", grade: "auto_approved" } as const;
    expect([ESCALATES_AT - 1, ESCALATES_AT, 9].map((count) => failing(low, count))).toEqual([
      "haiku",
      "sonnet",
      "sonnet",
    ]);
    expect(failing({}, 3)).toBe("opus");
    expect(failing({ score: 0.1 }, 3)).toBe("opus");
  });
});

describe("TR-71 personas", () => {
  it("TR-71 each model has a persona, and an unknown model is the analyst", () => {
    expect(["opus", "sonnet", "haiku", "next", "", "constructor"].map(personaOf)).toEqual([
      "architect",
      "analyst",
      "worker",
      "analyst",
      "analyst",
      "analyst",
    ]);
  });

  it("a requested model is raised but never lowered, and an unknown one is kept", () => {
    expect(atLeastModel(undefined, "haiku")).toBe("haiku");
    expect(atLeastModel("haiku", "opus")).toBe("opus");
    expect(atLeastModel("opus", "haiku")).toBe("opus");
    expect(atLeastModel("inherit", "opus")).toBe("inherit");
  });
});
