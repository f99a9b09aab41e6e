/** Git commands that lose work which was never committed, or commits which nothing names any more. */

import { gitCommand } from "../../kernel/shell-git.ts";
import { GAP } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { forbid, type Judge, question, strictestFirst } from "./danger.ts";
import * as history from "./danger-git-history.ts";
import { skipsHooks } from "./danger-git-hooks.ts";
import type { GitRule } from "./danger-git-words.ts";
import * as work from "./danger-git-work.ts";
import { hasSource } from "./danger-unread.ts";

export const gitDanger: Judge = (invocation) => {
  const { name, args } = invocation;
  if (name !== "git") return undefined;
  const command = gitCommand(args);
  const { verb, args: rest, config } = command;
  // With nothing on the line to feed it, nobody can look at what would be filled in.
  const unread = args.some(({ text: word, from }) => word.includes(GAP) && !hasSource(from)) ? fedByNobody : unreadVerb;
  if (verb === undefined) return args.length > 0 && args.some(({ literal }) => !literal) ? unread : undefined;
  const rule = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  const skipped = skipsHooks(command, invocation);
  if (!rule) return skipped;
  // An option put together at run time could be any of those below.
  const hidden = rest.some(
    ({ literal, prefix, text: word }) =>
      !literal && (word === GAP || (prefix.startsWith("-") && !prefix.includes("="))),
  );
  const found = [rule(rest, config) ?? skipped ?? [], hidden ? unread : []].flat();
  return found.sort(strictestFirst)[0];
};

const NOT_WRITTEN = text(
  "What git would do is not written on the line.",
  "git が何をするのかコマンドから読み取れません。",
);
const WRITE_OUT = text("Write the sub-command and its options out.", "サブコマンドとオプションを直接書いてください。");
const unreadVerb = question(NOT_WRITTEN, WRITE_OUT);
const fedByNobody = forbid(NOT_WRITTEN, WRITE_OUT);

/** What they do depends on nothing but the names they are given. */
const byName: GitRule = () => undefined;

const VERBS: Readonly<Record<string, GitRule>> = {
  merge: byName,
  rebase: byName,
  "cherry-pick": byName,
  revert: byName,
  reset: work.reset,
  clean: work.clean,
  checkout: work.checkout,
  switch: work.checkout,
  restore: work.restore,
  push: history.push,
  branch: history.branch,
  stash: history.stash,
  reflog: history.reflog,
  gc: history.collect,
  prune: history.prune,
  tag: history.tag,
  submodule: work.submodule,
  config: history.config,
  "read-tree": work.readTree,
  "checkout-index": work.checkoutIndex,
  lfs: history.largeFiles,
  annex: history.largeFiles,
  "send-pack": history.push,
  "symbolic-ref": history.updateRef,
  "filter-branch": history.rewrite,
  "filter-repo": history.rewrite,
  "update-ref": history.updateRef,
  worktree: work.worktree,
  rm: work.remove,
};
