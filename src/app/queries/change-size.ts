/** How large the change in the work tree is, and how much of a plan it needs. */
import * as childProcess from "node:child_process";
import { driveNow, running } from "../../kernel/drive.ts";
import type { Steps } from "../../kernel/effect.ts";
import { own } from "../../lib/keyed.ts";
import type { ChangedFile } from "../../playbook/diff.ts";
import { type Size, sizeOf } from "../../playbook/ladder.ts";
import { growthOf, newSession, type Session } from "../../state/session/session.ts";
import { changedInTree } from "../../world/facts/grown.ts";
import { type Ask, asker } from "../../world/machine/git-asking.ts";
import { runNow } from "../../world/machine/program.ts";
import { changedSince } from "../../world/machine/work-change.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { type WorkHere, workHere } from "./work.ts";

const LOOK_MS = 30_000;
export const SINCE_REQUEST = "request";

/** Without a commit, what is not committed yet; with `request`, since the person's last one. */
export function changeSize({ settings }: Here, root: string, since = "HEAD"): Size {
  if (since.startsWith("-")) throw new Problem(`"${since}" is no commit.`);
  const changed =
    since === SINCE_REQUEST
      ? changedSinceRequest(root, sessionOf(workHere()))
      : lookedAt(root, (ask) => changedSince(root, since, ask));
  if (!changed) throw new Problem(`git cannot tell what has changed here since ${since}.`);
  return sizeOf(changed, settings.settings.plan);
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
