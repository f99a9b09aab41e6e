/** What is staged where a command would merge. Git must be run for it, so it is looked up for such commands only. */

import type { HookEvent } from "../kernel/event.ts";
import type { Facts, Staged } from "../kernel/facts.ts";
import { beginsMerge, type GitSite, gitSite, siteName } from "../kernel/git-site.ts";
import type { Operation } from "../kernel/operation.ts";
import type { RunErrand } from "./errand.ts";
import { gitErrand } from "./git.ts";
import type { Environment } from "./places.ts";

interface Looking {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Pick<Facts["places"], "project">;
  readonly run?: RunErrand | undefined;
  readonly deadline: number;
  readonly clock: () => number;
}

/** As long as the specification gives it, if the deadline leaves that much; an answer needs time, too. */
const TIME_MS = 5000;
const RESERVE_MS = 700;
const SITES_MAX = 4;
const NAMES_MAX = 5;

const LIST = ["diff", "--cached", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames"].concat([
  "--no-relative",
  "--ignore-submodules=dirty",
  "--",
]);

export function stagedWhereMerged(from: Looking): Facts["staged"] {
  const merges = from.operation?.shell?.invocations.filter(beginsMerge) ?? [];
  const sites = new Map(merges.map((merge) => gitSite(merge, from.event.cwd)).map((site) => [siteName(site), site]));
  return Object.fromEntries([...sites].slice(0, SITES_MAX).map(([name, site]) => [name, stagedAt(site, from)]));
}

function stagedAt(site: GitSite, { env, places, run, clock, deadline }: Looking): Staged {
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  const errand = gitErrand(site, LIST, { env, project: places.project, timeMs });
  if (!errand) return { unseen: "there is no git" };
  if (!run || timeMs <= 0) return { unseen: "there was no time to look" };
  return stagedBy(run, errand);
}

function stagedBy(run: RunErrand, errand: Parameters<RunErrand>[0]): Staged {
  const outcome = run(errand);
  if ("failed" in outcome) return { unseen: outcome.failed };
  const names = outcome.text.split("\0").slice(0, -1);
  return { count: names.length, names: names.slice(0, NAMES_MAX), more: outcome.cut };
}
