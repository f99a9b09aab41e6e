/** Draws scores with characters: a bar for one score, and a curve over time. */

const CELLS = 10;
const LEVELS = "▁▂▃▄▅▆▇█";

/** Ten cells; a cell is full only when it is completely earned. */
export function scoreBar(score: number): string {
  // A value printed as 0.3 may be slightly less in binary.
  const full = Math.floor(score * CELLS + 1e-9);
  return "█".repeat(full) + "░".repeat(CELLS - full);
}

/** Always scaled from 0 to 1, so that two curves can be compared; with many scores each column shows its last. */
export function sparkline(scores: readonly number[], columns: number): string {
  const width = Math.min(scores.length, columns);
  return Array.from({ length: width }, (_, column) => {
    const score = scores[Math.ceil(((column + 1) * scores.length) / width) - 1] ?? 0;
    return LEVELS[Math.min(LEVELS.length - 1, Math.floor(score * LEVELS.length))];
  }).join("");
}
