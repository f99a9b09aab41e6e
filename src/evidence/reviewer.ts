/** Subagents whose final statement about the work counts as a verdict. */

import { names } from "../lib/name-table.ts";
import { bareName } from "../state/session/proof.ts";

const REVIEWERS = names("reviewer critic");

/** The host's own helpers have no type. */
export function isReviewer(type: string): boolean {
  return type !== "" && REVIEWERS.has(bareName(type));
}
