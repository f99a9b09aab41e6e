/** Scores drawn with characters: where one stands between 0 and 1, and how it got there. */

const CELLS = 10;
const LEVELS = "▁▂▃▄▅▆▇█";

/** Ten cells; one is full once all of it has been earned. */
export function scoreBar(score: number): string {
  // What prints as 0.3 may be a little less in binary.
  const full = Math.floor(score * CELLS + 1e-9);
  return "█".repeat(full) + "░".repeat(CELLS - full);
}

/** From 0 to 1 whatever the scores are, so that two curves can be compared; of many, each column shows its last. */
export function sparkline(scores: readonly number[], columns: number): string {
  const width = Math.min(scores.length, columns);
  return Array.from({ length: width }, (_, column) => {
    const score = scores[Math.ceil(((column + 1) * scores.length) / width) - 1] ?? 0;
    return LEVELS[Math.min(LEVELS.length - 1, Math.floor(score * LEVELS.length))];
  }).join("");
}
