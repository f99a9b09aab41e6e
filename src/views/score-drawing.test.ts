import { describe, expect, it } from "vitest";
import { scoreBar, sparkline } from "./score-drawing.ts";

describe("drawing scores", () => {
  it.each([
    [0, "░░░░░░░░░░"],
    [0.09, "░░░░░░░░░░"],
    [0.3, "███░░░░░░░"],
    [0.7, "███████░░░"],
    [0.99999, "█████████░"],
    [1, "██████████"],
  ])("TR-102 shows %d in ten cells", (score, bar) => {
    expect(scoreBar(score)).toBe(bar);
  });

  it("draws one block per score, from the lowest at 0 to the highest at 1", () => {
    expect(sparkline([0, 0.13, 0.5, 0.87, 0.88, 1], 40)).toBe("▁▂▅▇██");
    expect(sparkline([], 40)).toBe("");
  });

  it("with too many scores each column shows its last score", () => {
    const many = Array.from({ length: 101 }, (_, at) => at / 100);
    const line = sparkline(many, 10);
    expect(line).toHaveLength(10);
    expect(line.at(-1)).toBe("█");
    expect([...line]).toEqual([...line].sort());
  });
});
