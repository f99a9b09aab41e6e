/** Commands that replace or empty files all over the work tree without naming them. */

import { text } from "../../../lib/text.ts";
import { emptiesList, undoesChanges, unpacksHistory } from "../../../reading/operation/losses.ts";
import { type Judge, question, shown } from "./danger.ts";

export const treeDanger: Judge = (invocation) => {
  if (invocation.remote || invocation.contained) return undefined;
  const isLoss = undoesChanges(invocation) || unpacksHistory(invocation) || emptiesList(invocation);
  return isLoss ? question(over(shown(invocation)), KEEP_FIRST) : undefined;
};

function over(by: string) {
  return text(
    `This overwrites files all over the work tree, and changes in them that are not committed: ${by}.`,
    `作業ツリー全体のファイルと、その未コミットの変更を上書きします: ${by}。`,
  );
}

const KEEP_FIRST = text(
  "Keep the changes first: `git stash push --include-untracked`; or name the files.",
  "先に `git stash push --include-untracked` で退避するか、対象のファイルを指定してください。",
);
