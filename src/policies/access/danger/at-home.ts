/** A cheap test for the file tools: most of their calls write inside the project, and need no judge. */

import { within } from "../../../lib/paths.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import { reachedBy } from "../../../reading/operation/reached.ts";
import type { DangerContext } from "./danger.ts";

/** By the path as written and by its link target. A project that holds the home, or git's own files, is judged. */
export function isOrdinaryWrite({ effects }: Operation, { project, home, reached = {} }: DangerContext): boolean {
  const isInside = (path: string): boolean => within(path, project) && !/\/\.git(?:\/|$)/.test(path);
  return (
    !within(home, project) &&
    effects.every((effect) => isInside(effect.path) && isInside(reachedBy(effect, reached) ?? effect.path))
  );
}
