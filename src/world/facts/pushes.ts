/** The branches that a `git push` would update where its words do not say. This needs git, so only a push looks it up. */
import type { Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts, PushSite } from "../../kernel/facts.ts";
import { isScratch } from "../../lib/scratch.ts";
import { gitSite, siteName } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { pushOf } from "../../reading/operation/push.ts";
import { type Ask, asker } from "../machine/git-asking.ts";
import { type Environment, trueName } from "../machine/places.ts";

interface Looking {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Pick<Facts["places"], "project">;
  readonly deadline: number;
  readonly clock: () => number;
}

const TIME_MS = 1500;
const RESERVE_MS = 700;
const SITES_MAX = 2;

export function* pushSites(from: Looking): Steps<Facts["pushes"]> {
  const { event, operation, env, places, clock, deadline } = from;
  const sites = (operation?.shell?.invocations ?? []).flatMap((invocation) => {
    const push = pushOf(invocation);
    return push ? [{ site: gitSite(invocation, event.cwd), remote: push.remote ?? "origin" }] : [];
  });
  const found: Record<string, PushSite> = {};
  const asking = { env, project: places.project, clock, deadline: Math.min(deadline - RESERVE_MS, clock() + TIME_MS) };
  for (const { site, remote } of sites.slice(0, SITES_MAX)) {
    const look = yield* lookAt(asker(site, asking), site.directory, remote);
    if (look) found[siteName(site)] = look;
  }
  return found;
}

function* lookAt(ask: Ask, directory: string, remote: string): Steps<PushSite | undefined> {
  const current = yield* line(ask, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (current === undefined) return undefined;
  // The repository's settings can send a push without a name to another branch.
  const target = yield* line(ask, ["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{push}"]);
  const main = yield* line(ask, ["symbolic-ref", "--quiet", "--short", `refs/remotes/${remote}/HEAD`]);
  const url = yield* line(ask, ["remote", "get-url", "--push", remote]);
  return {
    current,
    ...(target !== undefined && { target: withoutRemote(target) }),
    ...(main !== undefined && { main: withoutRemote(main) }),
    ...(url !== undefined && isScratchRemote(url, directory) && { scratch: true as const }),
  };
}

function* line(ask: Ask, args: readonly string[]): Steps<string | undefined> {
  return (yield* ask(args))?.trim() || undefined;
}

function withoutRemote(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

function isScratchRemote(url: string, directory: string): boolean {
  const path = url.replace(/^file:\/\//, "");
  if (!/^\.{0,2}\//.test(path)) return false;
  return isScratch(trueName(path.startsWith("/") ? path : `${directory}/${path}`));
}
