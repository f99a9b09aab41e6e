/** What a git command would throw away, in the words of git itself: counted now, in this work tree. */

import type { Discarded } from "../../../../kernel/facts.ts";
import { inline, type Text, text } from "../../../../lib/text.ts";
import { type Danger, question } from "../danger.ts";

/** Undefined if nothing would be lost. A loss is asked about: the files are copied first, and commits stay in the reflog. */
export function lossDanger(lost: Discarded): Danger | undefined {
  const { files, untracked, commits, stashes } = lost;
  if (lost.scratch || files + untracked + commits + stashes === 0) return undefined;
  const parts = [changed(lost), fresh(lost), left(lost), stashed(lost)].flatMap((part) => part ?? []);
  const what = text(parts.map(({ en }) => en).join(" "), parts.map(({ ja }) => ja).join(""));
  return question(what, files + untracked + stashes > 0 ? KEEP : NAME_THEM);
}

function changed({ files, lines, names }: Discarded): Text | undefined {
  if (files === 0) return undefined;
  const [are, them] = files === 1 && lines === 1 ? ["is", "it"] : ["are", "them"];
  return text(
    `${many(files, "file")}, ${many(lines, "line")} ${are} not committed, and this discards ${them}${listed(names, files)}.`,
    `${files} ファイル・${lines} 行が未コミットで、この操作により失われます${listed(names, files, "ja")}。`,
  );
}

function fresh({ untracked, files, names }: Discarded): Text | undefined {
  if (untracked === 0) return undefined;
  // Where tracked files are lost too, the names are theirs.
  const shown = files > 0 ? [] : names;
  return text(
    `${many(untracked, "untracked file")} would be lost, and git has no copy${listed(shown, untracked)}.`,
    `未追跡の ${untracked} 件が失われ、Git に控えはありません${listed(shown, untracked, "ja")}。`,
  );
}

function left({ commits, files, names }: Discarded): Text | undefined {
  if (commits === 0) return undefined;
  const shown = files > 0 ? [] : names;
  return text(
    `${many(commits, "commit")} ${commits === 1 ? "is" : "are"} on no other branch, tag or remote${listed(shown, shown.length)}; only git's reflog would keep ${commits === 1 ? "it" : "them"}.`,
    `${commits} 件のコミットはほかのブランチ・タグ・リモートになく${listed(shown, shown.length, "ja")}、reflog にしか残りません。`,
  );
}

function stashed({ stashes }: Discarded): Text | undefined {
  if (stashes === 0) return undefined;
  return text(`${many(stashes, "stash", "stashes")} would be thrown away.`, `スタッシュ ${stashes} 件が捨てられます。`);
}

function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

function listed(names: readonly string[], count: number, language: "en" | "ja" = "en"): string {
  const shown = names.filter((name) => name !== "").map((name) => inline(name, 60));
  if (shown.length === 0) return "";
  const more = count - shown.length;
  if (language === "ja") return `（${shown.join("、")}${more > 0 ? ` ほか ${more} 件` : ""}）`;
  return ` (${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

const KEEP = text(
  "Keep it first with `git stash push --include-untracked`. If this runs, `sekisho undo` brings the files back.",
  "先に `git stash push --include-untracked` で退避してください。実行した場合も `sekisho undo` で戻せます。",
);
const NAME_THEM = text(
  "Keep the commits under a name first: `git branch keep <commit>`.",
  "先に `git branch keep <commit>` でコミットに名前を付けてください。",
);
