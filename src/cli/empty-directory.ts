/** A directory that was made for a file of ours goes with it. */
import { rmdirSync } from "node:fs";

export function dropIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    // Somebody else's things are in there, and it stays.
    void error;
  }
}
