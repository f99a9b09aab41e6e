/** Domain and risk of a git command. */

import { names } from "../../lib/name-table.ts";
import { gitCommand } from "../shell/commands/git.ts";
import type { Invocation } from "../shell/parse/reading.ts";
import { type Reach, type Risk, UNREAD } from "./domain.ts";

const GIT_REMOTE = names("push pull fetch clone ls-remote");
const GIT_READ = names(
  "status log diff show branch remote rev-parse describe blame ls-files ls-tree cat-file shortlog grep merge-base reflog",
);
const GIT_LOCAL = names(
  "add commit stash rebase merge cherry-pick tag checkout switch restore reset clean rm mv apply am revert worktree init config",
);

export function gitReach({ args }: Invocation): Reach {
  const { verb, args: rest } = gitCommand(args);
  if (verb === undefined) return UNREAD;
  if (GIT_REMOTE.has(verb)) return { domain: "git_remote", risk: verb === "push" ? "high" : "medium", changes: true };
  if (GIT_READ.has(verb))
    return gitReading(
      verb,
      rest.map(({ text }) => text),
    );
  const words = rest.map(({ text }) => text);
  if (looksOnly(verb, words)) return { domain: "git_read", risk: "low", changes: false };
  const isMerge = verb === "merge" && !words.some((word) => /^--(?:abort|quit)$/.test(word));
  const risk: Risk = isMerge || verb.startsWith("force") || losesWork(verb, words) ? "high" : "medium";
  const domain = GIT_LOCAL.has(verb) ? "git_local" : "shell_exec";
  return { domain, risk, changes: true, ...(verb === "rm" && { deletes: true }) };
}

/** Read-only forms of verbs that otherwise change something. */
function looksOnly(verb: string, words: readonly string[]): boolean {
  const [first = ""] = words;
  if (verb === "config") return /^(?:--get(?:-all|-regexp)?|-l|--list|get|list)$/.test(first);
  if (verb === "stash" || verb === "worktree") return /^(?:list|show)$/.test(first);
  return verb === "tag" && (words.length === 0 || /^(?:-l|--list|--contains|--points-at)$/.test(first));
}

/** True if the command discards uncommitted changes or leaves commits unreachable. */
function losesWork(verb: string, words: readonly string[]): boolean {
  switch (verb) {
    case "reset":
      return words.some((word) => /^--ha(?:r|rd)?$/.test(word));
    case "clean":
      return !words.some((word) => /^(?:-[a-zA-Z]*n|--dry-run)/.test(word));
    case "checkout":
    case "switch":
      return words.some((word) => /^(?:-f|--force|--discard-changes|--|\.)$/.test(word));
    case "restore":
      return !words.some((word) => /^(?:-S|--staged)$/.test(word));
    case "stash":
      return /^(?:drop|clear)$/.test(words[0] ?? "");
    default:
      return (
        /^(?:filter-branch|filter-repo|gc|prune|update-ref)$/.test(verb) &&
        !words.some((word) => /^(?:-n|--dry-run|--auto|--no-prune|--analyze)$/.test(word))
      );
  }
}

/** `git branch` reads, `git branch -D x` does not. */
function gitReading(verb: string, words: readonly string[]): Reach {
  const acts =
    (verb === "branch" &&
      words.some((word) => /^-[a-zA-Z]*[dDmMcCfu]|^--(?:delete|move|copy|force|set-upstream)/.test(word))) ||
    (verb === "remote" && /^(?:add|remove|rm|rename|set-url|prune)$/.test(words[0] ?? "")) ||
    (verb === "reflog" && /^(?:expire|delete)$/.test(words[0] ?? ""));
  return acts
    ? { domain: "git_local", risk: "medium", changes: true }
    : { domain: "git_read", risk: "low", changes: false };
}
