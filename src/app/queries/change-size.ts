/** How large the change in the work tree is, and how much of a plan it needs. */
import * as childProcess from "node:child_process";
import { driveNow, running } from "../../kernel/drive.ts";
import { type Size, sizeOf } from "../../playbook/ladder.ts";
import { asker } from "../../world/machine/git-asking.ts";
import { runNow } from "../../world/machine/program.ts";
import { changedSince } from "../../world/machine/work-change.ts";
import { Problem } from "../problem.ts";

const LOOK_MS = 30_000;

/** Without a commit, what is not committed yet. */
export function changeSize(root: string, since = "HEAD"): Size {
  if (since.startsWith("-")) throw new Problem(`"${since}" is no commit.`);
  const clock = (): number => Date.now();
  const ask = asker({ directory: root }, { env: process.env, project: root, deadline: clock() + LOOK_MS, clock });
  const changed = driveNow(
    changedSince(root, since, ask),
    running((program) => runNow({ ...program, timeMs: LOOK_MS }, childProcess)),
  );
  if (!changed) throw new Problem(`git cannot tell what has changed here since ${since}.`);
  return sizeOf(changed);
}
