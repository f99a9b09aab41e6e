/** Subagents whose word about the work is a verdict. */
import { bareName } from "../state/proof.ts";
import { names } from "./name-table.ts";

const REVIEWERS = names("reviewer critic");

/** The client's own helpers have no type. */
export function isReviewer(type: string): boolean {
  return type !== "" && REVIEWERS.has(bareName(type));
}
