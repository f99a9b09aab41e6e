import { describe, expect, it } from "vitest";
import { GROWTH } from "../../test/golden-trust.ts";
import { demoScenarios } from "./demo-scenarios.ts";

const [growth, recovery, complexity, escalation] = demoScenarios();
const column = (scenario: typeof growth, at: number) => scenario?.rows.map((row) => row[at]);

describe("TR-106 demo scenarios", () => {
  it("first: ten successes at complexity 0.2 match the golden vector", () => {
    expect(column(growth, 1)).toEqual(GROWTH.map(String));
    expect(growth?.title).toContain("complexity 0.2");
    expect(growth?.rows.at(-1)).toContain("0.903605");
  });

  it("second: five successes, two failures, then recovery up to the target", () => {
    expect(column(recovery, 1)?.slice(0, 7)).toEqual(
      [..."sssssff"].map((one) => (one === "s" ? "success" : "failure")),
    );
    expect(column(recovery, 5)?.slice(5)).toEqual([...Array(4).fill("yes -> 0.45836"), "no"]);
    expect(Number(recovery?.rows.at(-1)?.[2])).toBeGreaterThanOrEqual(0.45836);
    expect(Number(recovery?.rows.at(-2)?.[2])).toBeLessThan(0.45836);
  });

  it("third: autonomy at the same trust with fixed and with derived complexity", () => {
    const half = complexity?.rows.filter(([trust]) => trust === "0.5");
    expect(half).toEqual([
      ["0.5", "low", "0.825 auto_approved", "0.2", "0.885 auto_approved"],
      ["0.5", "medium", "0.75 logged_only", "0.5", "0.75 logged_only"],
      ["0.5", "high", "0.675 logged_only", "0.7", "0.635 logged_only"],
    ]);
  });

  it("fourth: five failures, with a stronger model from the third on", () => {
    expect(column(escalation, 3)).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(column(escalation, 4)).toEqual([...Array(3).fill("sonnet (analyst)"), ...Array(3).fill("opus (architect)")]);
    expect(escalation?.rows[3]?.[5]).toContain("self-escalation");
  });
});
