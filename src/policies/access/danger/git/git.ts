/** Git commands that lose uncommitted work or make commits unreachable. */

import { own } from "../../../../lib/keyed.ts";
import { text } from "../../../../lib/text.ts";
import { discardName } from "../../../../reading/operation/git-discards.ts";
import { gitVerb } from "../../../../reading/operation/git-site.ts";
import { gitCommand } from "../../../../reading/shell/commands/git.ts";
import { GAP, type Invocation } from "../../../../reading/shell/parse/reading.ts";
import { GIT_BRANCH_DELETE } from "../../../../state/families.ts";
import { type Danger, forbid, type GitRule, type Judge, question, strictestFirst } from "../danger.ts";
import { hasSource } from "../unread.ts";
import { lossDanger } from "./git-facts.ts";
import * as history from "./git-history.ts";
import { skipsHooks } from "./git-hooks.ts";
import * as work from "./git-work.ts";

/** What git was asked about is judged by its answer; everything else by the words. */
export const gitDanger: Judge = (invocation, { discarded = {} }) => {
  if (invocation.name !== "git") return undefined;
  const lost = own(discarded, discardName(invocation));
  const found = dangerInWords(invocation);
  const danger = lost && found ? (lossDanger(lost) ?? (lost.scratch ? undefined : skippedBy(invocation))) : found;
  const isBranch = danger?.decision === "ask" && gitVerb(invocation) === "branch";
  return isBranch ? { ...danger, family: GIT_BRANCH_DELETE } : danger;
};

function dangerInWords(invocation: Invocation): Danger | undefined {
  const { args } = invocation;
  const command = gitCommand(args);
  const { verb, args: rest, config } = command;
  // With no source for the placeholder on the line, the inserted words cannot be checked.
  const unread = args.some(({ text: word, from }) => word.includes(GAP) && !hasSource(from)) ? fedByNobody : unreadVerb;
  if (verb === undefined) return args.length > 0 && args.some(({ literal }) => !literal) ? unread : undefined;
  const rule = ruleOf(verb);
  const skipped = skippedBy(invocation);
  if (!rule) return skipped;
  // An option built at run time could be any of the dangerous ones.
  const hidden = rest.some(
    ({ literal, prefix, text: word }) =>
      !literal && (word === GAP || (prefix.startsWith("-") && !prefix.includes("="))),
  );
  const found = rule(rest, config) ?? skipped;
  return found && hidden ? [found, unread].sort(strictestFirst)[0] : (found ?? (hidden ? unread : undefined));
}

function skippedBy(invocation: Invocation): Danger | undefined {
  return skipsHooks(gitCommand(invocation.args), invocation);
}

const NOT_WRITTEN = text(
  "What git would do is not written on the line.",
  "git が何をするのかコマンドから読み取れません。",
);
const WRITE_OUT = text("Write the sub-command and its options out.", "サブコマンドとオプションを直接書いてください。");
const unreadVerb = question(NOT_WRITTEN, WRITE_OUT);
const fedByNobody = forbid(NOT_WRITTEN, WRITE_OUT);

/** No danger of their own; listed so that options unknown until run time are still reported. */
const byName: GitRule = () => undefined;

function ruleOf(verb: string): GitRule | undefined {
  switch (verb) {
    case "merge":
    case "rebase":
    case "cherry-pick":
    case "revert":
      return byName;
    case "push":
    case "send-pack":
      return history.push;
    case "fetch":
    case "pull":
      return history.fetch;
    case "branch":
      return history.branch;
    case "stash":
      return history.stash;
    case "config":
      return history.config;
    case "tag":
      return history.tag;
    default:
      return treeRule(verb) ?? refRule(verb);
  }
}

/** Rules for verbs that affect files in the work tree. */
function treeRule(verb: string): GitRule | undefined {
  switch (verb) {
    case "reset":
      return work.reset;
    case "clean":
      return work.clean;
    case "checkout":
    case "switch":
      return work.checkout;
    case "restore":
      return work.restore;
    case "submodule":
      return work.submodule;
    case "read-tree":
      return work.readTree;
    case "checkout-index":
      return work.checkoutIndex;
    case "worktree":
      return work.worktree;
    case "rm":
      return work.remove;
    default:
      return undefined;
  }
}

/** Rules for verbs that affect refs and unreachable objects. */
function refRule(verb: string): GitRule | undefined {
  switch (verb) {
    case "reflog":
      return history.reflog;
    case "gc":
      return history.collect;
    case "prune":
      return history.prune;
    case "lfs":
    case "annex":
      return history.largeFiles;
    case "filter-branch":
    case "filter-repo":
      return history.rewrite;
    case "symbolic-ref":
    case "update-ref":
      return history.updateRef;
    default:
      return undefined;
  }
}
