import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AUTONOMY } from "../../test/golden-trust.ts";
import { complexityOf, type Risk } from "../reading/operation/domain.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { autonomyOf, type Grade, gradeOf } from "./autonomy.ts";

const { risk: weights, autonomy: thresholds } = defaultSettings;
const RISKS: readonly Risk[] = ["low", "medium", "high", "critical"];
const grade = (score: number, risk: Risk): Grade => gradeOf(autonomyOf(score, risk, weights), risk, thresholds);

describe("autonomy", () => {
  it.each(AUTONOMY)("TR-40 TR-41 TR-43 TS-1 at trust %f is %f, %f and %f", (score, low, medium, high) => {
    expect((["low", "medium", "high"] as const).map((risk) => autonomyOf(score, risk, weights))).toEqual([
      low,
      medium,
      high,
    ]);
  });

  it("TR-40 has six significant digits, stays within 0 to 1, and uses the weights from the settings", () => {
    expect(autonomyOf(1 / 3, "medium", weights)).toBe(0.666667);
    expect(autonomyOf(0, "critical", { lambda1: 1, lambda2: 1 })).toBe(0);
    expect(autonomyOf(0, "critical", { lambda1: 0, lambda2: 0 })).toBe(1);
    expect(autonomyOf(0, "high", { lambda1: 1, lambda2: 0 })).toBe(0.25);
  });

  it("TR-41 TS-6 complexity depends on the category; an unknown or empty category counts as medium", () => {
    expect(["low", "medium", "high", "critical", "", "huge", "constructor"].map(complexityOf)).toEqual([
      0.2, 0.5, 0.7, 1, 0.5, 0.5, 0.5,
    ]);
  });

  it("grows with trust and shrinks with risk, and the grade follows", () => {
    const order: readonly Grade[] = ["auto_approved", "logged_only", "human_required", "blocked"];
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(score, score, fc.nat(3), fc.nat(3), (a, b, r, q) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        const [safer, riskier] = [RISKS[Math.min(r, q)] as Risk, RISKS[Math.max(r, q)] as Risk];
        expect(autonomyOf(less, riskier, weights)).toBeLessThanOrEqual(autonomyOf(more, safer, weights));
        expect(order.indexOf(grade(less, riskier))).toBeGreaterThanOrEqual(order.indexOf(grade(more, safer)));
      }),
    );
  });
});

describe("a grade", () => {
  it("TR-42 TS-9 exactly at a threshold is logged_only", () => {
    expect([0.8, 0.800001].map((autonomy) => gradeOf(autonomy, "medium", thresholds))).toEqual([
      "logged_only",
      "auto_approved",
    ]);
    expect([0.4, 0.399999].map((autonomy) => gradeOf(autonomy, "high", thresholds))).toEqual([
      "logged_only",
      "human_required",
    ]);
  });

  it("TR-42 TS-9 of a critical operation is blocked, even at trust 1", () => {
    expect(autonomyOf(1, "critical", weights)).toBe(1);
    expect(grade(1, "critical")).toBe("blocked");
  });

  it("TR-44 auto-approves above trust 0.1304 (low), 0.6 (medium) and 0.7260 (high), and requires a person below 0.1781", () => {
    expect([0.1304, 0.1305].map((score) => grade(score, "low"))).toEqual(["logged_only", "auto_approved"]);
    expect([0.6, 0.6001].map((score) => grade(score, "medium"))).toEqual(["logged_only", "auto_approved"]);
    expect([0.726, 0.7261].map((score) => grade(score, "high"))).toEqual(["logged_only", "auto_approved"]);
    expect([0.178, 0.1781].map((score) => grade(score, "high"))).toEqual(["human_required", "logged_only"]);
    expect((["low", "medium"] as const).map((risk) => grade(0, risk))).toEqual(["logged_only", "logged_only"]);
  });
});
