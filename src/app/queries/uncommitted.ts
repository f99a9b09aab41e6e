/** The files of a work tree that are in no commit. */
import * as childProcess from "node:child_process";
import { driveNow, running } from "../../kernel/drive.ts";
import { UNCOMMITTED, uncommittedIn } from "../../world/facts/uncommitted.ts";
import { asker } from "../../world/machine/git-asking.ts";
import { runNow } from "../../world/machine/program.ts";

const LOOK_MS = 10_000;

/** Empty where git cannot tell, as outside a repository. */
export function uncommittedAt(root: string): readonly string[] {
  const asking = { env: process.env, project: root, deadline: Date.now() + LOOK_MS, clock: () => Date.now() };
  const ask = asker({ directory: root }, asking);
  const text = driveNow(
    ask(UNCOMMITTED),
    running((program) => runNow(program, childProcess)),
  );
  return uncommittedIn(text ?? "");
}
