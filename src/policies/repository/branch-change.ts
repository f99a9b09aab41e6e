/**
 * Effect of a git command on a protected branch: none, one that a person must approve, or one that needs another
 * branch.
 */
import { gitCommand } from "../../reading/operation/git-command.ts";
import { beginsMerge, gitVerb } from "../../reading/operation/git-site.ts";
import { pushOf } from "../../reading/operation/push.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";

export type BranchChange = "none" | "needs-a-person" | "needs-a-branch";

/** Verbs that bring other content onto the current branch, or move it. */
const BRINGS =
  /^(?:am|apply|checkout-index|cherry-pick|clean|filter-branch|filter-repo|mv|read-tree|revert|rm|subtree)$/;

export function branchChange(
  invocation: Invocation,
  isOnKept: boolean,
  isKept: (branch: string) => boolean,
): BranchChange {
  const verb = gitVerb(invocation);
  if (verb === undefined) return "none";
  const words = gitCommand(invocation.args).args.map(({ text }) => text);
  if (movesFromAfar(verb, words, isKept)) return "needs-a-person";
  const push = pushOf(invocation);
  if (push) {
    const isTarget = push.branches.some((branch) => (branch === "HEAD" ? isOnKept : isKept(branch)));
    return isTarget || (push.isWide && (isOnKept || push.branches.length === 0)) ? "needs-a-person" : "none";
  }
  if (!isOnKept) return "none";
  if (verb === "merge" && beginsMerge(invocation)) return "needs-a-person";
  const isReset = verb === "reset" && words.some((word) => /^--(?:hard|soft|keep|merge)$|[~^]\d*$/.test(word));
  return isReset || BRINGS.test(verb) ? "needs-a-branch" : "none";
}

/** `git fetch . topic:main` and `git update-ref refs/heads/main` move a branch that is not checked out. */
function movesFromAfar(verb: string, words: readonly string[], isKept: (branch: string) => boolean): boolean {
  const named = (pattern: RegExp): boolean => words.some((word) => isKept(pattern.exec(word)?.[1] ?? ""));
  if (verb === "fetch" || verb === "pull") return named(/^\+?[^:]+:(?:refs\/heads\/)?([^:]+)$/);
  return verb === "update-ref" && named(/^refs\/heads\/(.+)$/);
}

/** The command switches to a protected branch; later commands in the line then run there. */
export function arrivesAt(invocation: Invocation, isKept: (branch: string) => boolean): boolean {
  const verb = gitVerb(invocation);
  if (verb !== "checkout" && verb !== "switch") return false;
  const words = gitCommand(invocation.args).args.map(({ text }) => text);
  const isNew = words.some((word) => /^-[bBcC]$|^--(?:create|force-create|orphan|detach)$|^--$/.test(word));
  return !isNew && words.some((word) => isKept(word));
}
