import { expect, it } from "vitest";
import { isAtLeast } from "./host-program.ts";

it.each([
  ["2.1.294", false],
  ["2.1.295", true],
  ["2.1.1000", true],
  ["2.0.999", false],
  ["3.0.0", true],
  ["1.9.999", false],
])("%s is at least 2.1.295: %s", (version, isNewEnough) => {
  expect(isAtLeast(version, "2.1.295")).toBe(isNewEnough);
});
