/** Removes the remains of a failed write. */
import { unlinkSync } from "node:fs";

/** Called after an error, so a failure here is ignored. */
export function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    void error;
  }
}
