import { expect, it } from "vitest";
import { growsFaster } from "./growth.ts";

let sum = 0;

function steps(count: number): void {
  for (let at = 0; at < count; at++) sum = (sum * 31 + at) | 0;
}

it("accepts linear work and reports quadratic work", () => {
  expect(growsFaster((size) => steps(size * 200), 3200)).toBeUndefined();
  expect(growsFaster((size) => steps(size * size), 3200)).toMatch(/^[\d.]+ ms for 200, [\d.]+ ms for 3200$/);
});
