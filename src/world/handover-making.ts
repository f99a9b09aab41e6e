/** What a conversation hands over: looked up when it is about to be made shorter, bounded, and without secrets. */
import type { HookEvent } from "../kernel/event.ts";
import { type Gathered, isUnknown } from "../kernel/facts.ts";
import { HANDED, HANDED_CHARS, type Handover } from "../kernel/handover.ts";
import { inline } from "../kernel/text.ts";
import { modesInForce } from "../state/modes.ts";
import type { Session } from "../state/session.ts";
import type { RunErrand } from "./errand.ts";
import type { Environment } from "./places.ts";
import { lastPrompts, type ReadPrompt } from "./prompts.ts";
import { repositoryLook } from "./repository-look.ts";
import { rootOf } from "./work-tree.ts";

/** As long as the specification gives git, if the deadline leaves that much; an answer needs time, too. */
const GIT_MS = 5000;
const RESERVE_MS = 700;

export interface Making {
  readonly event: HookEvent<"PreCompact">;
  readonly facts: Gathered;
  readonly env: Environment;
  readonly project: string;
  readonly run?: RunErrand | undefined;
  readonly readPrompt?: ReadPrompt | undefined;
  readonly started: number;
  readonly deadline: number;
  readonly clock: () => number;
}

export function handoverNow(from: Making): Handover {
  const { event, started } = from;
  const session = known(from.facts.session);
  const root = rootOf(event.cwd, from.project);
  return {
    version: 1,
    session: event.session,
    at: started,
    timestamp: `${new Date(started).toISOString().slice(0, 19)}Z`,
    trigger: brief(event.trigger),
    ...orNothing(() => modesOf(session, started)),
    ...orNothing(() => tasksOf(from.facts)),
    ...orNothing(() => plansOf(from.facts)),
    ...orNothing(() => repositoryOf(root, from)),
    ...orNothing(() => ({ cwd: brief(event.cwd), root: brief(root), written: writtenBy(session, root) })),
    ...orNothing(() => intentsOf(from, session)),
  };
}

/** A part that cannot be had is left out, and nobody is told: it must not hold up the client. */
function orNothing(part: () => Partial<Handover>): Partial<Handover> {
  try {
    return part();
  } catch (error) {
    void error;
    return {};
  }
}

function known<T>(fact: T | { readonly unknown: string } | undefined): T | undefined {
  return fact === undefined || isUnknown(fact) ? undefined : (fact as T);
}

function brief(words: string): string {
  return inline(words, HANDED_CHARS);
}

function modesOf(session: Session | undefined, now: number): Partial<Handover> {
  const modes = modesInForce(session?.modes, now).map(({ name, task, count, max, errors = [] }) => ({
    name,
    task: brief(task),
    count,
    max,
    errors: errors.slice(-HANDED.errors).map(brief),
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

function repositoryOf(root: string, { env, project, run, clock, deadline }: Making): Partial<Handover> {
  const end = Math.min(clock() + GIT_MS, deadline - RESERVE_MS);
  const { branch, commits, uncommitted } = repositoryLook(
    root,
    { env, project, run, clock, deadline: end },
    HANDED.commits,
  );
  return {
    ...(branch !== undefined && { branch: brief(branch) }),
    ...(commits && { commits: commits.map(brief) }),
    ...(uncommitted && {
      uncommitted_count: uncommitted.length,
      changed: uncommitted.slice(0, HANDED.changed).map(brief),
    }),
  };
}

/** Below the work tree as a person would write it. */
function writtenBy(session: Session | undefined, root: string): readonly string[] {
  const paths = session?.written?.slice(-HANDED.written) ?? [];
  return paths.map((path) => brief(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
}

function intentsOf({ event, readPrompt }: Making, session: Session | undefined): Partial<Handover> {
  if (!readPrompt || !session || event.transcript === "") return {};
  return { user_intents: lastPrompts(event, session, readPrompt, HANDED.intents).map(brief) };
}
