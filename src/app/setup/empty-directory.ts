/** Removes a directory that was created for a file of ours, if it is empty now. */
import { rmdirSync } from "node:fs";

export function dropIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    // The directory contains other files, so it stays.
    void error;
  }
}
