/** What git commands of a line would throw away now. This needs git, so only such commands look it up. */
import { lstatSync } from "node:fs";
import type { Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Discarded, Facts } from "../../kernel/facts.ts";
import { discardName, discardOf, type GitDiscard } from "../../reading/operation/git-discards.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { leastSteady, type Steadiness, steadinessBefore, suffices } from "../../reading/operation/steadiness.ts";
import { type Asking, asker } from "../machine/git-asking.ts";
import { type Environment, trueName } from "../machine/places.ts";
import { isScratchRepository } from "../machine/scratch-repository.ts";
import { lossAt } from "../machine/work-loss.ts";

interface Looking {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Pick<Facts["places"], "project" | "home">;
  readonly deadline: number;
  readonly clock: () => number;
}

const TIME_MS = 2000;
const RESERVE_MS = 700;
const COMMANDS_MAX = 3;

export function* discardedBy(from: Looking): Steps<Facts["discarded"]> {
  const { event, operation, env, places, clock, deadline } = from;
  const shell = operation?.shell;
  const command = "tool" in event && event.tool.kind === "bash" ? event.tool.command : "";
  const found: Record<string, Discarded> = {};
  if (!shell) return found;
  const all = shell.invocations.flatMap((invocation, at) => {
    const discard = discardOf(invocation);
    return discard ? [{ discard, name: discardName(invocation), cwd: invocation.cwd ?? "", at }] : [];
  });
  const asking = { env, project: places.project, clock, deadline: Math.min(deadline - RESERVE_MS, clock() + TIME_MS) };
  for (const [name, { discard, cwd }] of [...new Map(all.map((one) => [one.name, one]))].slice(0, COMMANDS_MAX)) {
    // The same words twice on the line have one answer, so the less steady of the two counts.
    const same = all.filter((one) => one.name === name);
    const steadiness = leastSteady(same.map(({ at }) => steadinessBefore(command, shell, at)));
    const loss = yield* lookedUp(discard, cwd, steadiness, { ...asking, home: places.home });
    if (loss) found[name] = loss;
  }
  return found;
}

const NOTHING: Discarded = { files: 0, lines: 0, untracked: 0, commits: 0, stashes: 0, names: [] };

function* lookedUp(
  discard: GitDiscard,
  cwd: string,
  steadiness: Steadiness,
  asking: Asking & { readonly home: string },
): Steps<Discarded | undefined> {
  if (steadiness === "unknown") return undefined;
  const directory = trueName(cwd);
  if (yield* isScratchRepository(directory, asking)) return { ...NOTHING, scratch: true };
  const needed: Steadiness = discard.of === "branches" || discard.of === "stash" ? "branches" : "same";
  if (!suffices(steadiness, needed) || !isThere(directory)) return undefined;
  const loss = yield* lossAt(discard, directory, asker({ directory }, asking));
  return loss && { ...NOTHING, ...loss };
}

function isThere(directory: string): boolean {
  return lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
