/** Collects the handover of a conversation that is about to be compacted: bounded and without secrets. */
import type { Steps } from "../kernel/effect.ts";
import type { HookEvent } from "../kernel/event.ts";
import { type Asked, type Gathered, isUnknown, NOT_ASKED, type Unknown } from "../kernel/facts.ts";
import { HANDED, HANDED_CHARS, type Handover } from "../kernel/handover.ts";
import { inline } from "../lib/text.ts";
import { modesInForce } from "../state/session/modes.ts";
import type { Session } from "../state/session/session.ts";
import { lastPrompts, type ReadPrompt } from "../world/facts/prompts.ts";
import type { Environment } from "../world/machine/places.ts";
import { repositoryLook } from "../world/machine/repository-look.ts";
import { rootOf } from "../world/machine/work-tree.ts";

/**
 * Git's time limit of the specification, shortened if the deadline is nearer; the reserve is for writing the answer.
 */
const GIT_MS = 5000;
const RESERVE_MS = 700;

export interface Making {
  readonly event: HookEvent<"PreCompact">;
  readonly facts: Gathered;
  readonly env: Environment;
  readonly project: string;
  readonly readPrompt?: ReadPrompt | undefined;
  readonly started: number;
  readonly deadline: number;
  readonly clock: () => number;
}

export function* handoverNow(from: Making): Steps<Handover> {
  const { event, started } = from;
  const session = known(from.facts.session);
  const root = rootOf(event.cwd, from.project);
  const repository = yield* repositoryOf(root, from);
  return {
    version: 1,
    session: event.session,
    at: started,
    timestamp: `${new Date(started).toISOString().slice(0, 19)}Z`,
    trigger: brief(event.trigger),
    ...orNothing(() => modesOf(session, started)),
    ...orNothing(() => tasksOf(from.facts)),
    ...orNothing(() => plansOf(from.facts)),
    ...repository,
    ...orNothing(() => ({ cwd: brief(event.cwd), root: brief(root), written: writtenBy(session, root) })),
    ...orNothing(() => intentsOf(from, session)),
  };
}

/** A part that fails is left out silently: it must not delay the host. */
function orNothing(part: () => Partial<Handover>): Partial<Handover> {
  try {
    return part();
  } catch (error) {
    void error;
    return {};
  }
}

function known<T>(fact: Asked<T> | Unknown | undefined): T | undefined {
  return fact === undefined || fact === NOT_ASKED || isUnknown(fact) ? undefined : (fact as T);
}

function brief(words: string): string {
  return inline(words, HANDED_CHARS);
}

function modesOf(session: Session | undefined, now: number): Partial<Handover> {
  const modes = modesInForce(session?.modes, now).map(({ name, task, count, max, errors = [], failures = [] }) => ({
    name,
    task: brief(task),
    count,
    max,
    errors: [...errors, ...failures].slice(-HANDED.errors).map(brief),
  }));
  return session ? { modes } : {};
}

function tasksOf({ hostTasks }: Gathered): Partial<Handover> {
  const tasks = known(hostTasks);
  if (!tasks) return {};
  const shown = tasks.shown.slice(0, HANDED.tasks).map(({ subject, status }) => ({ subject: brief(subject), status }));
  return { tasks: { open: tasks.open, done: tasks.done, shown } };
}

function plansOf({ plans }: Gathered): Partial<Handover> {
  const found = known(plans)?.slice(0, HANDED.plans);
  return found ? { plans: found.map(({ path, done, total }) => ({ path: brief(path), done, total })) } : {};
}

function* repositoryOf(root: string, { env, project, clock, deadline }: Making): Steps<Partial<Handover>> {
  const end = Math.min(clock() + GIT_MS, deadline - RESERVE_MS);
  try {
    const look = yield* repositoryLook(root, { env, project, clock, deadline: end }, HANDED.commits);
    const { branch, commits, uncommitted } = look;
    return {
      ...(branch !== undefined && { branch: brief(branch) }),
      ...(commits && { commits: commits.map(brief) }),
      ...(uncommitted && {
        uncommitted_count: uncommitted.length,
        changed: uncommitted.slice(0, HANDED.changed).map(brief),
      }),
    };
  } catch (error) {
    // Left out like any part that cannot be had.
    void error;
    return {};
  }
}

/** Relative to the work tree where possible. */
function writtenBy(session: Session | undefined, root: string): readonly string[] {
  const paths = session?.written?.slice(-HANDED.written) ?? [];
  return paths.map((path) => brief(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
}

function intentsOf({ event, readPrompt }: Making, session: Session | undefined): Partial<Handover> {
  if (!readPrompt || !session || event.transcript === "") return {};
  return { user_intents: lastPrompts(event, session, readPrompt, HANDED.intents).map(brief) };
}
