/** What git commands of a line would throw away now. This needs git, so only such commands look it up. */
import { lstatSync } from "node:fs";
import type { Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Discarded, Facts } from "../../kernel/facts.ts";
import { discardName, discardOf, type GitDiscard } from "../../reading/operation/git-discards.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { type Asked, isSteady, runsThere, type Standing } from "../../reading/operation/steadiness.ts";
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
    const cwd = invocation.cwd ?? "";
    return discard ? [{ discard, name: discardName(invocation), cwd, standing: { command, shell, at } }] : [];
  });
  const end = Math.min(deadline - RESERVE_MS, clock() + TIME_MS);
  const asking = { env, project: places.project, home: places.home, clock, deadline: end };
  for (const [name, { discard, cwd }] of [...new Map(all.map((one) => [one.name, one]))].slice(0, COMMANDS_MAX)) {
    // The same words twice on the line have one answer, so it must hold for both.
    const standings = all.filter((one) => one.name === name).map(({ standing }) => standing);
    const loss = yield* lossInAll(placesOf(cwd, event.cwd, standings), discard, standings, asking);
    if (loss) found[name] = loss;
  }
  return found;
}

/** Where the command may run; empty if nobody can tell. After a `cd` that fails it runs where the line began. */
function placesOf(cwd: string, start: string, standings: readonly Standing[]): readonly string[] {
  const certainties = standings.map(runsThere);
  if (certainties.includes("maybe")) return [];
  return certainties.includes("if there") && !isDirectory(trueName(cwd)) ? [cwd, start] : [cwd];
}

function* lossInAll(
  places: readonly string[],
  discard: GitDiscard,
  standings: readonly Standing[],
  asking: Asking & { readonly home: string },
): Steps<Discarded | undefined> {
  let worst: Discarded | undefined;
  for (const place of places) {
    const loss = yield* lossIn(trueName(place), discard, standings, asking);
    if (!loss) return undefined;
    if (!worst || worst.scratch) worst = loss;
  }
  return worst;
}

const NOTHING: Discarded = { files: 0, lines: 0, untracked: 0, commits: 0, stashes: 0, names: [] };

function* lossIn(
  directory: string,
  discard: GitDiscard,
  standings: readonly Standing[],
  asking: Asking & { readonly home: string },
): Steps<Discarded | undefined> {
  const bears = (asked: Asked): boolean => standings.every((one) => isSteady(one, asked));
  if (bears("scratch") && (yield* isScratchRepository(directory, asking))) return { ...NOTHING, scratch: true };
  const asked = discard.of === "branches" || discard.of === "stash" ? "branches" : "files";
  if (!isDirectory(directory) || !bears(asked)) return undefined;
  const loss = yield* lossAt(discard, directory, asker({ directory }, asking));
  return loss && { ...NOTHING, ...loss };
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
