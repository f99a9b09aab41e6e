/** The staged files where a command would merge. This needs git, so only such commands look it up. */

import { run, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts, Staged } from "../../kernel/facts.ts";
import { beginsMerge, type GitSite, gitSite, siteName } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { gitRun } from "../machine/git.ts";
import type { Environment } from "../machine/places.ts";

interface Looking {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Pick<Facts["places"], "project">;
  readonly deadline: number;
  readonly clock: () => number;
}

/** The time limit of the specification, shortened if the deadline is nearer; the reserve is for writing the answer. */
const TIME_MS = 5000;
const RESERVE_MS = 700;
const SITES_MAX = 4;
const NAMES_MAX = 5;

const LIST = ["diff", "--cached", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames"].concat([
  "--no-relative",
  "--ignore-submodules=dirty",
  "--",
]);

export function* stagedWhereMerged(from: Looking): Steps<Facts["staged"]> {
  const merges = from.operation?.shell?.invocations.filter(beginsMerge) ?? [];
  const sites = new Map(merges.map((merge) => gitSite(merge, from.event.cwd)).map((site) => [siteName(site), site]));
  const staged: Record<string, Staged> = {};
  for (const [name, site] of [...sites].slice(0, SITES_MAX)) staged[name] = yield* stagedAt(site, from);
  return staged;
}

function* stagedAt(site: GitSite, { env, places, clock, deadline }: Looking): Steps<Staged> {
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  const program = gitRun(site, LIST, { env, project: places.project, timeMs });
  if (!program) return { unseen: "there is no git" };
  if (timeMs <= 0) return { unseen: "there was no time to look" };
  const result = yield* run(program);
  if ("failed" in result) return { unseen: result.failed };
  const names = result.text.split("\0").slice(0, -1);
  return { count: names.length, names: names.slice(0, NAMES_MAX), more: result.cut };
}
