/** Lines that only bring committed work here or there: another branch is nobody's change. */
import { gitVerb } from "./git-site.ts";
import { names } from "./name-table.ts";
import type { Operation } from "./operation.ts";
import type { Invocation } from "./shell-reading.ts";

/** Not what joins (merge, rebase, cherry-pick), brings loose work (stash, apply, am) or makes objects from words. */
const MOVING = names(
  "checkout switch pull fetch restore add commit push branch tag status log diff show remote rev-parse",
);
const BESIDE = names("cd pwd ls echo cat");

export function onlyMoves({ shell }: Operation): boolean {
  if (!shell || shell.unknown.length > 0 || shell.programs.length > 0) return false;
  const { invocations } = shell;
  return invocations.some((one) => gitVerb(one) !== undefined) && invocations.every(isMove);
}

function isMove(invocation: Invocation): boolean {
  const { name = "", args, assignments, redirects } = invocation;
  if (assignments.length > 0 || redirects.some(({ kind }) => kind !== "read")) return false;
  const verb = gitVerb(invocation);
  if (verb === undefined) return BESIDE.has(name);
  // What git is told to run, or by which settings, is no move.
  return (
    MOVING.has(verb) &&
    args.every(({ text, literal }) => literal && !/^-c|^--(?:exec|upload-pack|config|receive-pack)/.test(text))
  );
}
