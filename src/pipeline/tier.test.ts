import { describe, expect, it } from "vitest";
import { defaultSettings } from "../state/settings/settings.ts";
import { proposeTier } from "./tier.ts";

const tiers = (...names: readonly string[]) => ({ tiers: names.map((name) => ({ name, steps: ["a"] })) });
const ALL = tiers("XS", "S", "M", "L", "XL");

describe("PL-20 the tier that fits a change", () => {
  it.each([
    [{ size: "free", files: 1 }, ALL, "XS"],
    [{ size: "S", files: 3 }, ALL, "S"],
    [{ size: "M", files: 10 }, ALL, "M"],
    [{ size: "L", files: 30 }, ALL, "L"],
    [{ size: "L", files: 31 }, ALL, "XL"],
    [{ size: "free", files: 1 }, tiers("S", "M"), "S"],
    [{ size: "L", files: 31 }, tiers("S", "M"), "M"],
    [{ size: "M", files: 9 }, tiers("S", "L"), "L"],
    [{ size: "M", files: 9 }, tiers("default"), "default"],
  ] as const)("%o", (measured, pipeline, tier) => {
    expect(proposeTier(pipeline, measured, defaultSettings.plan).tier).toBe(tier);
  });

  it("the limit of L is a setting", () => {
    expect(proposeTier(ALL, { size: "L", files: 31 }, { l_files: 40 }).tier).toBe("L");
  });
});
