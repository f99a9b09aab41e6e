/** Git commands that lose work which was never committed, or commits which nothing names any more. */

import { gitCommand } from "../../kernel/shell-git.ts";
import { hasOption } from "../../kernel/shell-options.ts";
import type { Word } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, forbid, type Judge, question } from "./danger.ts";

export const gitDanger: Judge = ({ name, args }) => {
  if (name !== "git") return undefined;
  const { verb, args: rest } = gitCommand(args);
  if (verb === undefined) return args.length > 0 && args.some(({ literal }) => !literal) ? unreadVerb : undefined;
  const rule = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!rule) return undefined;
  // An option put together at run time could be any of those below.
  const hidden = rest.some(
    ({ literal, prefix, text: word }) =>
      !literal && (word === "…" || (prefix.startsWith("-") && !prefix.includes("="))),
  );
  return rule(rest) ?? (hidden ? unreadVerb : undefined);
};

type Rule = (args: readonly Word[]) => Danger | undefined;

const unreadVerb = question(
  text("What git would do is not written on the line.", "git が何をするのかコマンドから読み取れません。"),
  text("Write the sub-command and its options out.", "サブコマンドとオプションを直接書いてください。"),
);

const UNCOMMITTED = text(
  "Changes that were never committed would be gone for good.",
  "コミットしていない変更が完全に失われます。",
);

const STASH_FIRST = text(
  "Keep them first: `git stash push --include-untracked`. To move the branch and keep local changes: `git reset --keep <commit>`.",
  "先に `git stash push --include-untracked` で退避してください。ローカルの変更を保ってブランチを動かすには `git reset --keep <commit>` を使えます。",
);

const reset: Rule = (args) =>
  args.some(({ text: word }) => /^--ha(?:r|rd)?$/.test(word)) ? forbid(UNCOMMITTED, STASH_FIRST) : undefined;

const clean: Rule = (args) => {
  if (hasOption(args, "n", "--dry-run") || !hasOption(args, "f", "--force")) return undefined;
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

const checkout: Rule = (args) => {
  // `-b`, `-c` and their like take the rest of the cluster as a name.
  const forced = args.some(({ text: word }) => /^(?:-[^-bBcC]*f|--force$|--discard-changes$)/.test(word));
  if (forced) return forbid(UNCOMMITTED, STASH_FIRST);
  const dashes = args.findIndex(({ text: word }) => word === "--");
  const paths = dashes >= 0 ? args.slice(dashes + 1) : args.filter(({ text: word }) => isWide(word));
  return discard(paths);
};

const restore: Rule = (args) => {
  const stagedOnly = hasOption(args, "S", "--staged") && !hasOption(args, "W", "--worktree");
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

function isWide(word: string): boolean {
  return /^(?:\.{1,2}\/?|:\/|\*|\.\/\*|:\(top\).*)$/.test(word);
}

const TRUNK = /(?:^|[:/+])(?:main|master|trunk|develop|production|release)$/;

const push: Rule = (args) => {
  const dashes = args.findIndex(({ text: word }) => word === "--");
  const words = (dashes < 0 ? args : args.slice(0, dashes)).map(({ text: word }) => word);
  const refs = words.filter((word) => !word.startsWith("-")).slice(1);
  const trunk = refs.some((ref) => TRUNK.test(ref));
  if (words.includes("-n") || words.includes("--dry-run")) return undefined;
  if (has(args, "--mirror") || has(args, "--prune")) return forbid(overwritesRemote, LEASE);
  const deletes = hasOption(args, "d", "--delete") || refs.some((ref) => ref.startsWith(":"));
  if (deletes) return trunk ? forbid(deletesBranch, CLOSE_INSTEAD) : question(deletesBranch, CLOSE_INSTEAD);
  const leased = words.some((word) => word.startsWith("--force-with-lease") || word === "--force-if-includes");
  const forced =
    words.some((word) => /^--force(?:=|$)/.test(word) || /^-[a-zA-Z]*f/.test(word)) ||
    refs.some((ref) => ref.startsWith("+"));
  if (forced) return forbid(overwritesRemote, LEASE);
  return leased && trunk ? question(overwritesRemote, LEASE) : undefined;
};

const overwritesRemote = text(
  "Commits on the remote that others may have would be overwritten.",
  "他の人が使っているかもしれないリモートのコミットが上書きされます。",
);
const deletesBranch = text("A branch on the remote would be deleted.", "リモートのブランチが削除されます。");
const LEASE = text(
  "On your own branch use `git push --force-with-lease`, which refuses when somebody else has pushed; on a shared branch use `git revert`.",
  "自分のブランチでは `git push --force-with-lease`（他者の push があれば拒否）、共有ブランチでは `git revert` を使ってください。",
);
const CLOSE_INSTEAD = text(
  "Let the person delete it where the pull request is closed.",
  "プルリクエストを閉じる際に利用者に削除してもらってください。",
);

const branch: Rule = (args) => {
  const forced = hasOption(args, "D") || (hasOption(args, "d", "--delete") && hasOption(args, "f", "--force"));
  if (!forced) return undefined;
  return question(
    text("Commits that only this branch names would be lost.", "このブランチだけが指すコミットが失われます。"),
    text(
      "Use `git branch -d`, which refuses when something is not merged.",
      "未マージなら拒否する `git branch -d` を使ってください。",
    ),
  );
};

const stash: Rule = ([first]) => {
  if (first?.text !== "drop" && first?.text !== "clear") return undefined;
  const what = text("Stashed work would be thrown away.", "スタッシュした作業が捨てられます。");
  const fix = text(
    "Keep it on a branch first: `git stash branch <name>`.",
    "先に `git stash branch <name>` でブランチに残してください。",
  );
  return first.text === "clear" ? forbid(what, fix) : question(what, fix);
};

const LAST_WAY_BACK = text(
  "This removes the last record from which lost commits can be brought back.",
  "失われたコミットを戻すための最後の記録が消えます。",
);
const TAG_FIRST = text(
  "Name what must stay first: `git tag keep <commit>`.",
  "残すものに先に名前を付けてください: `git tag keep <commit>`。",
);

const reflog: Rule = ([first]) =>
  /^(?:expire|delete)$/.test(first?.text ?? "") ? forbid(LAST_WAY_BACK, TAG_FIRST) : undefined;
const collect: Rule = (args) =>
  args.some(({ text: word }) => /^--prune(?:=(?:now|all))?$/.test(word)) ? forbid(LAST_WAY_BACK, TAG_FIRST) : undefined;

const rewrite: Rule = (args) =>
  has(args, "--dry-run")
    ? undefined
    : question(
        text("This rewrites the whole history of the repository.", "リポジトリの履歴全体が書き換わります。"),
        text(
          "Make a copy first: `git clone --mirror . ../backup.git`.",
          "先に `git clone --mirror . ../backup.git` で控えを取ってください。",
        ),
      );

const updateRef: Rule = (args) => (hasOption(args, "d", "--delete") ? question(LAST_WAY_BACK, TAG_FIRST) : undefined);
const worktree: Rule = (args) =>
  args[0]?.text === "remove" && hasOption(args, "f", "--force") ? question(UNCOMMITTED, STASH_FIRST) : undefined;
const remove: Rule = (args) =>
  hasOption(args, "r") && args.some(({ text: word }) => isWide(word)) && !has(args, "--cached")
    ? forbid(UNCOMMITTED, STASH_FIRST)
    : undefined;

function has(args: readonly Word[], option: string): boolean {
  return args.some(({ text: word }) => word === option);
}

const VERBS: Readonly<Record<string, Rule>> = {
  reset,
  clean,
  checkout,
  switch: checkout,
  restore,
  push,
  branch,
  stash,
  reflog,
  gc: collect,
  prune: () => question(LAST_WAY_BACK, TAG_FIRST),
  "filter-branch": rewrite,
  "filter-repo": rewrite,
  "update-ref": updateRef,
  worktree,
  rm: remove,
};
