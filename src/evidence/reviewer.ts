/** Subagents whose final statement about the work counts as a verdict. */

import { names } from "../lib/name-table.ts";
import { bareName } from "../state/session/proof.ts";
import type { Settings } from "../state/settings/settings.ts";

const REVIEWERS = names("reviewer critic");

/** Also the agents that a person's own rules name. The host's own helpers have no type. */
export function isReviewer(type: string, { gates }: Pick<Settings, "gates">): boolean {
  if (type === "") return false;
  const name = bareName(type);
  return REVIEWERS.has(name) || gates.rules.some(({ need }) => need.evidence === "verdict" && need.of === name);
}

/** Who judges plans: the agents of our plugin, or a project's own of the same name. Other plugins have none. */
export function judgeIn(type: string): "critic" | "reviewer" | undefined {
  const [, name] = /^(?:sekisho:)?(critic|reviewer)$/.exec(type) ?? [];
  return name as "critic" | "reviewer" | undefined;
}
