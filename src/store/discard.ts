/** Removes what a failed write left behind. */
import { unlinkSync } from "node:fs";

/** Called when something has already gone wrong: if this fails too, there is nothing more to be done about it. */
export function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    void error;
  }
}
