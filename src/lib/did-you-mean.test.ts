import { describe, expect, it } from "vitest";
import { nearestNames } from "./did-you-mean.ts";

describe("names that could be meant", () => {
  it.each([
    ["modle", ["model", "prompt"], ["model"]],
    ["tirs", ["tiers", "steps"], ["tiers"]],
    ["depend_on", ["depends_on", "inputs"], ["depends_on"]],
    ["hats", ["steps", "tiers"], []],
  ])("%s", (name, known, near) => {
    expect(nearestNames(name, known)).toEqual(near);
  });
});
