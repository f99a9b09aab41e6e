import { describe, expect, it } from "vitest";
import { scoreBar, sparkline } from "./score-drawing.ts";

describe("scores drawn", () => {
  it.each([
    [0, "░░░░░░░░░░"],
    [0.09, "░░░░░░░░░░"],
    [0.3, "███░░░░░░░"],
    [0.7, "███████░░░"],
    [0.99999, "█████████░"],
    [1, "██████████"],
  ])("TR-102 show %d in ten cells", (score, bar) => {
    expect(scoreBar(score)).toBe(bar);
  });

  it("go from the lowest block at 0 to the highest at 1, one for each", () => {
    expect(sparkline([0, 0.13, 0.5, 0.87, 0.88, 1], 40)).toBe("▁▂▅▇██");
    expect(sparkline([], 40)).toBe("");
  });

  it("of more than fit show the last of each column, and the very last at the end", () => {
    const many = Array.from({ length: 101 }, (_, at) => at / 100);
    const line = sparkline(many, 10);
    expect(line).toHaveLength(10);
    expect(line.at(-1)).toBe("█");
    expect([...line]).toEqual([...line].sort());
  });
});
