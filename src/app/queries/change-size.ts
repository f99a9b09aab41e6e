/** How large the change in the work tree is, and how much of a plan it needs. */
import * as childProcess from "node:child_process";
import { driveNow, running } from "../../kernel/drive.ts";
import type { Steps } from "../../kernel/effect.ts";
import { own } from "../../lib/keyed.ts";
import type { ChangedFile } from "../../playbook/diff.ts";
import { type Size, sizeOf } from "../../playbook/ladder.ts";
import { growthOf, newSession, type Session } from "../../state/session/session.ts";
import { changedInTree } from "../../world/facts/plan/grown.ts";
import { type Ask, asker } from "../../world/machine/git-asking.ts";
import { headCommit } from "../../world/machine/head-commit.ts";
import { runNow } from "../../world/machine/program.ts";
import { changedSince } from "../../world/machine/work-change.ts";
import { workTreeOf } from "../../world/machine/work-tree.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { type WorkHere, workHere } from "./work.ts";

const LOOK_MS = 30_000;
export const SINCE_REQUEST = "request";

/** Without a commit, what is not committed yet; with `request`, since the person's last one. */
export function changeSize({ settings }: Here, root: string, since = "HEAD"): Size {
  if (since.startsWith("-")) throw new Problem(`"${since}" is no commit.`);
  refuseWithoutGit(root);
  const { plan } = settings.settings;
  const changed =
    since === SINCE_REQUEST
      ? changedSinceRequest(root, requestedIn(plan.required))
      : lookedAt(root, (ask) => changedSince(root, since, ask));
  if (!changed) throw new Problem(unmeasured(root, since));
  return sizeOf(changed, plan);
}

function refuseWithoutGit(root: string): void {
  if (!workTreeOf(root))
    throw new Problem(`${root} is in no git repository, so nothing tells what has changed. \`git init\` makes one.`);
}

/** The session whose request is measured from. */
function requestedIn(required: string): Session {
  const work = workHere();
  if (work.sessionId === undefined)
    throw new Problem(
      "No session of an agent has been seen in this project, so there is no request to measure from.\n" +
        "`sekisho playbook size` measures what is not committed, `--since COMMIT` from a commit.",
    );
  if (required !== "auto")
    throw new Problem(
      `Requests are counted only with \`plan.required: auto\`, and it is ${required} here.\n` +
        "`sekisho playbook size` measures what is not committed, `--since COMMIT` from a commit.",
    );
  return sessionOf(work);
}

function unmeasured(root: string, since: string): string {
  if (since === SINCE_REQUEST)
    return "Nothing has been counted in this work tree since your last request. `sekisho playbook size` measures what is not committed.";
  if (headCommit(root) === "") return "The repository has no commit yet, so there is nothing to measure from.";
  return `git knows no commit "${since}" here, or cannot tell what has changed since.`;
}

export function sessionOf({ state, sessionId = "" }: WorkHere): Session {
  return own(state.sessions, sessionId) ?? newSession(0);
}

/** Undefined where nothing was counted in this work tree, or git cannot tell. */
export function changedSinceRequest(root: string, session: Session): readonly ChangedFile[] | undefined {
  const tree = own(growthOf(session).trees, root);
  return tree && lookedAt(root, (ask) => changedInTree(root, tree, ask));
}

function lookedAt<T>(root: string, look: (ask: Ask) => Steps<T>): T {
  const clock = (): number => Date.now();
  const ask = asker({ directory: root }, { env: process.env, project: root, deadline: clock() + LOOK_MS, clock });
  return driveNow(
    look(ask),
    running((program) => runNow({ ...program, timeMs: LOOK_MS }, childProcess)),
  );
}
