/** Who else works on the files that an operation would change: by a claim, or by a change that is in no commit. */
import { readPart, type Steps } from "../../../kernel/effect.ts";
import { type ClaimFound, isUnknown, type Unknown } from "../../../kernel/facts.ts";
import { namesOf, pathsMeet } from "../../../lib/path-meeting.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { protectedPlace } from "../../../reading/operation/protected-list.ts";
import type { Claim, Claims } from "../../../state/claims/part.ts";
import { writtenAt } from "../../../state/session/refused.ts";
import type { Session } from "../../../state/session/session.ts";
import type { State } from "../../../state/state.ts";
import type { LookingHost } from "../../host.ts";
import { isAlive } from "../../machine/caller.ts";
import { asker } from "../../machine/git-asking.ts";
import { trueName } from "../../machine/places.ts";
import { rootOf } from "../../machine/work-tree.ts";
import type { Looking as Common } from "../looking.ts";
import { UNCOMMITTED } from "../plan/uncommitted.ts";

type Looking = Common & { readonly host: Pick<LookingHost, "peersOf"> };
type Other = readonly [string, Session];

const RESERVE_MS = 700;
const PATHS_MAX = 50;

/** The newest work of others on the same files. Without another running session nothing is looked up. */
export function* claimed(from: Looking): Steps<readonly ClaimFound[] | Unknown> {
  const { operation, state, event, places } = from;
  if (isUnknown(state)) return state;
  const own = state.sessions[event.session];
  const others = Object.entries(state.sessions).filter(
    ([id, session]) => id !== event.session && session.client?.pid !== own?.client?.pid && isRunning(session),
  );
  if (others.length === 0) return [];
  const paths = [...new Set((operation?.effects ?? []).filter(isChange).map(({ path }) => trueName(path)))];
  const { claims } = yield* readPart(places.journal, "claims");
  const found: ClaimFound[] = [];
  for (const path of paths.slice(0, PATHS_MAX)) {
    const holder = heldBy(path, others, claims) ?? writtenBy(path, others, claims, own);
    if (holder && !(yield* isCommitted(path, holder, from))) found.push(named(path, holder, from, state));
  }
  return found;
}

function isChange({ kind, literal, glob, elsewhere, path }: Effect): boolean {
  return (kind === "write" || kind === "delete") && literal && !glob && !elsewhere && path.startsWith("/");
}

/** A claim is bound to the process, like that of a task. Where it can't be looked up, nobody is held up. */
function isRunning({ endedAt, client }: Session): boolean {
  return endedAt === undefined && client !== undefined && client.started !== "" && isAlive(client);
}

interface Held {
  readonly session: string;
  readonly at: number;
  readonly glob?: string;
}

function heldBy(path: string, others: readonly Other[], { held }: Claims): Held | undefined {
  const [claim] = Object.values(held)
    .filter((one) => isAlive(one.holder) && others.some(([id]) => id === one.holder.session) && covers(one, path))
    .sort((a, b) => a.at - b.at);
  return claim && { session: claim.holder.session, at: claim.at, glob: claim.glob };
}

function covers({ root, glob }: Pick<Claim, "root" | "glob">, path: string): boolean {
  return pathsMeet(protectedPlace(root, glob).everywhere, namesOf(path, false));
}

/** Whoever wrote it first has it; whoever has been let write there is not told again. */
function writtenBy(path: string, others: readonly Other[], claims: Claims, own: Session | undefined): Held | undefined {
  const [first] = others
    .map(([session, memory]) => ({ session, at: writtenAt(memory, path) }))
    .filter(({ session, at }) => at > releasedAt(path, session, claims))
    .sort((a, b) => a.at - b.at);
  const mine = own ? writtenAt(own, path) : 0;
  return first && (mine === 0 || first.at < mine) ? first : undefined;
}

export function releasedAt(path: string, session: string, { released }: Claims): number {
  const all = released.filter(
    (one) => one.session === session && (one.glob === undefined || covers({ root: one.root, glob: one.glob }, path)),
  );
  return Math.max(0, ...all.map(({ at }) => at));
}

/** Written work ends with its commit, and so does a claim on a file that was committed since. */
function* isCommitted(path: string, { at, glob }: Held, from: Looking): Steps<boolean> {
  const { places, env, deadline, clock } = from;
  const directory = rootOf(path, places.project);
  const ask = asker({ directory }, { env, project: places.project, deadline: deadline - RESERVE_MS, clock });
  const seconds = Number((yield* ask(["log", "-1", "--format=%ct", "--", path])) ?? Number.NaN);
  if (seconds * 1000 > at) return true;
  return glob === undefined && !(yield* ask([...UNCOMMITTED, "--", path]));
}

function named(path: string, { session, at, glob }: Held, from: Looking, { sessions }: State): ClaimFound {
  const title = from.host.peersOf?.(from).find((peer) => peer.session === session)?.name;
  return {
    ...{ path, session, at, name: sessions[session]?.actor ?? title ?? session.slice(0, 8) },
    ...(glob !== undefined && { glob }),
  };
}
