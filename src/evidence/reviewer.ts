/** Subagents whose final statement about the work counts as a verdict. */

import { names } from "../lib/name-table.ts";
import { bareName } from "../state/session/proof.ts";

const REVIEWERS = names("reviewer critic");

/** The host's own helpers have no type. */
export function isReviewer(type: string): boolean {
  return type !== "" && REVIEWERS.has(bareName(type));
}

/** Who judges plans: the agents of our plugin, or a project's own of the same name. Other plugins have none. */
export function judgeIn(type: string): "critic" | "reviewer" | undefined {
  const [, name] = /^(?:sekisho:)?(critic|reviewer)$/.exec(type) ?? [];
  return name as "critic" | "reviewer" | undefined;
}
