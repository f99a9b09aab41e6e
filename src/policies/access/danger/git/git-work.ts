/** Git commands that lose uncommitted work. */

import { text } from "../../../../lib/text.ts";
import { isFileName, isWide } from "../../../../reading/operation/git-discards.ts";
import { flag, says } from "../../../../reading/operation/git-words.ts";
import type { Word } from "../../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, type GitRule, question } from "../danger.ts";

const UNCOMMITTED = text(
  "Changes that were never committed would be gone for good.",
  "コミットしていない変更が完全に失われます。",
);

const STASH_FIRST = text(
  "Keep them first: `git stash push --include-untracked`. To move the branch and keep local changes: `git reset --keep <commit>`.",
  "先に `git stash push --include-untracked` で退避してください。ローカルの変更を保ってブランチを動かすには `git reset --keep <commit>` を使えます。",
);

export const reset: GitRule = (args) => {
  if (says(args, "--hard")) return forbid(UNCOMMITTED, STASH_FIRST);
  // Staged changes are lost, unstaged changes stay.
  return says(args, "--merge") ? question(UNCOMMITTED, STASH_FIRST) : undefined;
};

export const clean: GitRule = (args, config) => {
  const unforced = config.some(({ text: word }) => /^clean\.requireforce=(?:false|no|off|0)$/i.test(word));
  if (flag(args, "n", "e") || says(args, "--dry-run")) return undefined;
  if (!unforced && !flag(args, "f", "e") && !says(args, "--force")) return undefined;
  return forbid(
    text(
      "Untracked files would be deleted; git has no copy of them.",
      "未追跡ファイルが削除されます。Git には控えがありません。",
    ),
    text(
      "List them with `git clean -nd`, then keep them with `git stash push --include-untracked`, or remove the ones you made by name.",
      "`git clean -nd` で一覧し、`git stash push --include-untracked` で退避するか、自分が作ったものだけを名前で削除してください。",
    ),
  );
};

export const checkout: GitRule = (args) => {
  // `-b`, `-c` and similar options take the rest of the cluster as a name.
  const forced = flag(args, "f", "bBcC");
  if (forced || says(args, "--force") || says(args, "--discard-changes")) return forbid(UNCOMMITTED, STASH_FIRST);
  // Takes one side of a conflict; the other side is still in the merged commits.
  if (says(args, "--ours") || says(args, "--theirs")) return question(UNCOMMITTED, STASH_FIRST);
  const dashes = args.findIndex(({ text: word }) => word === "--");
  if (dashes >= 0) return discard(args.slice(dashes + 1));
  const operands = args.filter(({ text: word }) => !word.startsWith("-"));
  return discard(
    operands.filter(
      ({ text: word }, at) => isWide(word) || isFileName(word) || (at > 0 && operands.length === args.length),
    ),
  );
};

export const restore: GitRule = (args) => {
  const staged = flag(args, "S", "s") || says(args, "--staged");
  const stagedOnly = staged && !flag(args, "W", "s") && !says(args, "--worktree");
  return stagedOnly ? undefined : discard(args.filter(({ text: word }) => !word.startsWith("-")));
};

function discard(paths: readonly Word[]): Danger | undefined {
  if (paths.length === 0) return undefined;
  const wide = paths.some(({ text: word, glob }) => isWide(word) || glob);
  const fix = text(
    "Keep the changes first: `git stash push -- <path>`, or save them with `git diff -- <path> > changes.patch`.",
    "先に `git stash push -- <path>` か `git diff -- <path> > changes.patch` で変更を残してください。",
  );
  return wide ? forbid(UNCOMMITTED, fix) : question(UNCOMMITTED, fix);
}

export const worktree: GitRule = ([first, ...rest]) =>
  first?.text === "remove" && (flag(rest, "f") || says(rest, "--force"))
    ? question(UNCOMMITTED, STASH_FIRST)
    : undefined;

export const submodule: GitRule = ([first, ...rest]) =>
  first?.text === "deinit" && (flag(rest, "f") || says(rest, "--force"))
    ? question(UNCOMMITTED, STASH_FIRST)
    : undefined;

export const remove: GitRule = (args) => {
  if (says(args, "--cached") || flag(args, "n") || says(args, "--dry-run") || !flag(args, "r")) return undefined;
  if (!args.some(({ text: word, glob }) => isWide(word) && (glob || !word.startsWith("-")))) return undefined;
  // Without `-f` git keeps a file with local changes.
  return flag(args, "f") || says(args, "--force") ? forbid(UNCOMMITTED, STASH_FIRST) : question(REMOVED, BY_NAME);
};

const REMOVED = text(
  "All files that git knows here would be removed from the work tree; their committed content stays in git.",
  "ここで Git が管理する全ファイルが作業ツリーから消えます。コミット済みの内容は Git に残ります。",
);
const BY_NAME = text(
  "Remove files by name. To only stop tracking them, use `git rm -r --cached <path>`.",
  "ファイル名を指定して削除してください。追跡だけをやめるには `git rm -r --cached <path>` を使えます。",
);

/** Plumbing that overwrites files like `reset --hard`. */
export const readTree: GitRule = (args) =>
  says(args, "--reset") && flag(args, "u") ? forbid(UNCOMMITTED, STASH_FIRST) : undefined;
export const checkoutIndex: GitRule = (args) =>
  flag(args, "f") || says(args, "--force") ? question(UNCOMMITTED, STASH_FIRST) : undefined;
