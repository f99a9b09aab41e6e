/** Whether a directory's repository is a scratch one: in a temporary directory as a whole, and not the project's. */
import { lstatSync } from "node:fs";
import type { Steps } from "../../kernel/effect.ts";
import { within } from "../../lib/paths.ts";
import { isScratch, isScratchRoot } from "../../lib/scratch.ts";
import { type Asking, asker } from "./git-asking.ts";
import { trueName } from "./places.ts";
import { workTreeOf } from "./work-tree.ts";

interface Places {
  readonly project: string;
  readonly home: string;
}

/** `directory` is a real path: a link in a temporary directory may lead to the project. */
export function* isScratchRepository(directory: string, asking: Asking & Places): Steps<boolean> {
  if (!isOutside(directory, asking)) return false;
  return lstatSync(directory, { throwIfNoEntry: false })
    ? yield* isExistingScratch(directory, asking)
    : yield* isFutureScratch(asking);
}

/** Git itself says where the work tree and the repository are: a setting of the repository may name other places. */
function* isExistingScratch(directory: string, asking: Asking & Places): Steps<boolean> {
  const ask = asker({ directory }, asking);
  const told = yield* ask(["rev-parse", "--git-common-dir", "--absolute-git-dir"]);
  const [common, own] = told?.split("\n") ?? [];
  if (common === undefined || own === undefined) return workTreeOf(directory) === undefined;
  const top = yield* ask(["rev-parse", "--show-toplevel"]);
  const places = [common.startsWith("/") ? common : `${directory}/${common}`, own, top?.trimEnd() || directory];
  return places.every((place) => isOutside(trueName(place), asking));
}

/** A repository that the line itself makes there, as long as no setting of the person sends it elsewhere. */
function* isFutureScratch(asking: Asking): Steps<boolean> {
  const names = yield* asker({ directory: "/" }, asking)(["config", "--list", "--name-only", "-z"]);
  return names !== undefined && !/^(?:init\.templatedir|core\.worktree)$/im.test(names.replaceAll("\0", "\n"));
}

function isOutside(place: string, { project, home }: Places): boolean {
  if (!isScratch(place) || isScratchRoot(place)) return false;
  return [project, home].map(trueName).every((dear) => !within(place, dear) && !within(dear, place));
}
