/** Git commands that make commits unreachable, locally or on a remote. */

import { text } from "../../../../lib/text.ts";
import { flag, says } from "../../../../reading/operation/git-words.ts";
import type { Word } from "../../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, type GitRule, question } from "../danger.ts";

const trunkPattern = (): RegExp => /(?:^|[:/+])(?:main|master|trunk|develop|production|prod|staging|release|stable)$/;

export const push: GitRule = (args, config) => {
  const dashes = args.findIndex(({ text: word }) => word === "--");
  const options = dashes < 0 ? args : args.slice(0, dashes);
  const refs = args.map(({ text: word }) => word).filter((word) => !word.startsWith("-"));
  const trunk = refs.slice(1).some((ref) => trunkPattern().test(ref));
  if (flag(options, "n", "o") || says(options, "--dry-run")) return undefined;
  const mirrors = config.some(({ text: word }) => /^remote\..*\.mirror=(?:true|yes|on|1)?$/i.test(word));
  if (mirrors || says(options, "--mirror") || says(options, "--prune")) return forbid(overwritesRemote, LEASE);
  const deletes = flag(options, "d", "o") || says(options, "--delete") || refs.some((ref) => /^\+?:./.test(ref));
  if (deletes) return trunk ? forbid(deletesBranch, CLOSE_INSTEAD) : question(deletesBranch, CLOSE_INSTEAD);
  return replacing(options, refs, trunk);
};

function replacing(options: readonly Word[], refs: readonly string[], trunk: boolean): Danger | undefined {
  const leased = options.some(({ text: word }) => /^--force-[wi]/.test(word));
  const forced = flag(options, "f", "o") || says(options, "--force") || refs.some((ref) => ref.startsWith("+"));
  if (forced) return forbid(overwritesRemote, LEASE);
  if (leased && trunk) return question(overwritesRemote, LEASE);
  if (isAddress(refs[0] ?? "")) return question(toAnAddress, TO_A_REMOTE);
  return refs.slice(1).some(isPutOnTrunk) ? question(putOnTrunk, BY_REQUEST) : undefined;
}

function isAddress(word: string): boolean {
  return /^(?:https?|git|ssh):\/\/(?!localhost|127\.)|^[\w.-]+@[\w.-]+:/.test(word);
}

const toAnAddress = text(
  "This sends the history to an address that is written on the line, not to one of the repository's remotes.",
  "登録されたリモートではなく、コマンドに書かれたアドレスへ履歴を送ります。",
);
const TO_A_REMOTE = text(
  "Push to a remote by its name (`git remote -v` lists them), or let the person add this one.",
  "`git remote -v` にあるリモートを名前で指定するか、利用者に追加してもらってください。",
);

/** `git fetch origin +main:main`: a branch here is replaced by the one there, with the commits that only it has. */
export const fetch: GitRule = (args) => {
  if (flag(args, "n", "o") || says(args, "--dry-run")) return undefined;
  const replaces = args.some(({ text: word }) => /^\+[^:]+:(?!refs\/(?:remotes|pull|tags|notes)\/).+/.test(word));
  return replaces ? question(replacesBranch, FETCH_PLAIN) : undefined;
};

const replacesBranch = text(
  "This replaces a branch here by the one of the remote; commits that only the branch here has are lost.",
  "手元のブランチをリモートの内容で置き換えます。手元だけのコミットは失われます。",
);
const FETCH_PLAIN = text(
  "Fetch without `+` and without a target (`git fetch origin`), then compare: `git log origin/main..main`.",
  "`+` と宛先を付けずに `git fetch origin` し、`git log origin/main..main` で比べてください。",
);

/** `HEAD:main`, `feature:refs/heads/master`: pushes another branch onto the trunk. */
function isPutOnTrunk(ref: string): boolean {
  const [source = "", target = ""] = ref.replace(/refs\/heads\//g, "").split(":");
  return /^(?:main|master|trunk|production|prod)$/.test(target) && source !== target;
}

const putOnTrunk = text(
  "This puts another commit straight onto the branch that everybody builds on.",
  "全員が使うブランチに、別のコミットを直接載せます。",
);
const BY_REQUEST = text(
  "Push it to a branch of its own (`git push -u origin HEAD`) and open a pull request.",
  "自分のブランチに push し（`git push -u origin HEAD`）、プルリクエストを開いてください。",
);

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

export const branch: GitRule = (args) => {
  // The output of another command may be an option instead of a name.
  if (args.some(({ literal, from }) => !literal && from?.some(({ name }) => !namersPattern().test(name ?? ""))))
    return question(namedElsewhere, WRITE_IT);
  const forced = flag(args, "f") || says(args, "--force");
  if (!flag(args, "D") && !forced) return undefined;
  return question(
    text("Commits that only this branch names would be lost.", "このブランチだけが指すコミットが失われます。"),
    text(
      "Use `git branch -d`, which refuses when something is not merged, or keep the commits under a name: `git branch keep <branch>`.",
      "未マージなら拒否する `git branch -d` を使うか、`git branch keep <branch>` で名前を残してください。",
    ),
  );
};

/** Commands whose output is a name built on the line, or a name from git itself. */
const namersPattern = (): RegExp =>
  /^(?:git|gh|glab|date|whoami|hostname|echo|printf|basename|dirname|uuidgen|openssl|tr|sed|cut|jq|pwd|node|python3?)$/;
const namedElsewhere = text(
  "Which branch this is about is said by a file or another program, and that could say an option too.",
  "対象のブランチ名が別のファイルやプログラムから来ており、オプションが紛れ込む可能性があります。",
);
const WRITE_IT = text("Look at the name first, and write it out.", "先に名前を確認し、直接書いてください。");

export const tag: GitRule = (args) =>
  flag(args, "d", "mFu") || says(args, "--delete")
    ? question(
        text("A tag would be deleted; what only it names is lost.", "タグが削除され、それだけが指すものは失われます。"),
        text(
          "Note where it points first: `git rev-parse <tag>`.",
          "先に `git rev-parse <tag>` で指す先を控えてください。",
        ),
      )
    : undefined;

export const stash: GitRule = ([first]) => {
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

export const reflog: GitRule = ([first, ...rest]) =>
  /^(?:expire|delete)$/.test(first?.text ?? "") && !flag(rest, "n") && !says(rest, "--dry-run")
    ? forbid(LAST_WAY_BACK, TAG_FIRST)
    : undefined;
export const collect: GitRule = (args, config) =>
  args.some(({ text: word }) => /^--pru(?:n|ne)?(?:=(?:now|all))?$/.test(word)) ||
  config.some(({ text: word }) => isHasty(word))
    ? forbid(LAST_WAY_BACK, TAG_FIRST)
    : undefined;
export const prune: GitRule = (args) =>
  flag(args, "n") || says(args, "--dry-run") ? undefined : question(LAST_WAY_BACK, TAG_FIRST);

/** Settings with which the next garbage collection keeps nothing. */
function isHasty(setting: string): boolean {
  return /^gc\.(?:prune|reflog)expire\w*=(?:now|all|0)/i.test(setting);
}

export const rewrite: GitRule = (args) =>
  says(args, "--dry-run") || says(args, "--analyze")
    ? undefined
    : question(
        text("This rewrites the whole history of the repository.", "リポジトリの履歴全体が書き換わります。"),
        text(
          "Make a copy first: `git clone --mirror . ../backup.git`.",
          "先に `git clone --mirror . ../backup.git` で控えを取ってください。",
        ),
      );

export const updateRef: GitRule = (args) =>
  flag(args, "d") || says(args, "--delete") ? question(LAST_WAY_BACK, TAG_FIRST) : undefined;

/** Objects that exist only in the large-file store. */
export const largeFiles: GitRule = ([first, ...rest]) =>
  /^(?:prune|drop|dropunused)$/.test(first?.text ?? "") && (flag(rest, "f") || says(rest, "--force"))
    ? question(LAST_WAY_BACK, TAG_FIRST)
    : undefined;

/** A setting that makes an ordinary command destructive later, when it no longer looks suspicious. */
export const config: GitRule = (args) => {
  const at = args.findIndex(({ text: word }) => /^[\w-]+\..*\w$/.test(word));
  const setting = `${args[at]?.text ?? ""}=${args[at + 1]?.text ?? ""}`;
  const risky =
    isHasty(setting) ||
    /^(?:clean\.requireforce=(?:false|no|off|0)$|remote\..*\.(?:mirror=(?:true|yes|on|1)$|push=\+)|core\.hookspath=(?:\/dev\/null$|\/tmp\/))/i.test(
      setting,
    );
  return risky
    ? question(
        text(
          "With this setting an everyday git command deletes or overwrites without asking.",
          "この設定により、普段の git コマンドが確認なしに削除・上書きするようになります。",
        ),
        text("Give the option on the one command that needs it.", "必要なコマンドにだけオプションを付けてください。"),
      )
    : undefined;
};
