/**
 * Recognises command lines that only move committed work, such as switching branches; these are not changes of the
 * session.
 */

import { names } from "../../lib/name-table.ts";
import type { Invocation } from "../shell/parse/reading.ts";
import { gitVerb } from "./git-site.ts";
import type { Operation } from "./operation.ts";

/**
 * Excludes verbs that combine commits (merge, rebase, cherry-pick), apply loose work (stash, apply, am) or create
 * objects from text.
 */
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
  return (
    MOVING.has(verb) && args.every(({ text, literal }) => literal && !RUNS.some((option) => text.startsWith(option)))
  );
}

/** Options that make git run programs or change its settings. */
const RUNS = ["-c", "--exec", "--upload-pack", "--config", "--receive-pack"];
