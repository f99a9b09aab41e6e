/** The message about a snapshot: a deletion is reported, an edit in place is not. */

import { sizeWords } from "../lib/size.ts";
import { inline, type Text, text } from "../lib/text.ts";
import type { Left, LeftReason, SnapshotOutcome } from "./snapshot-request.ts";

export function snapshotNote(outcome: SnapshotOutcome): Text | undefined {
  if (outcome.is === "empty") return undefined;
  if (outcome.is === "failed") {
    const cause = inline(outcome.problem, 120);
    return text(
      `Sekisho could not keep a copy of what this destroys (${cause}). \`sekisho undo\` will not bring it back.`,
      `失われるものの控えを取れませんでした (${cause})。\`sekisho undo\` では戻せません。`,
    );
  }
  if (!outcome.deletes) return undefined;
  const left = leftNote(outcome.left, outcome.leftCount);
  if (outcome.is === "left") return left;
  // Files that git already has are not worth a message.
  if (outcome.copies === 0 && !left) return undefined;
  const { files, bytes, id } = outcome;
  const [many, size] = [`${files} file${files === 1 ? "" : "s"}`, sizeWords(bytes)];
  const kept = text(
    `Sekisho kept what this removes (${many}, ${size}): \`sekisho undo ${id}\` brings it back.`,
    `失われる ${files} ファイル (${size}) の控えを取りました。\`sekisho undo ${id}\` で戻せます。`,
  );
  return left ? text(`${kept.en} ${left.en}`, `${kept.ja}${left.ja}`) : kept;
}

function leftNote(left: readonly Left[], count: number): Text | undefined {
  if (count === 0) return undefined;
  const names = (language: "en" | "ja"): string =>
    left.map(({ path, reason }) => `${inline(path, 40)} (${REASONS[reason][language]})`).join(", ");
  const more = count > left.length ? count - left.length : 0;
  return text(
    `Not kept: ${names("en")}${more > 0 ? ` and ${more} more` : ""}.`,
    `控えなし: ${names("ja")}${more > 0 ? ` ほか ${more} 件` : ""}。`,
  );
}

const REASONS: Readonly<Record<LeftReason, Text>> = {
  secret: text("looks like a secret", "秘密らしいファイル"),
  size: text("too large", "大きすぎる"),
  number: text("too many files", "多すぎる"),
  ignored: text("ignored and large", "無視対象で大きい"),
  special: text("no ordinary file", "通常のファイルでない"),
  unreadable: text("unreadable", "読めない"),
  time: text("no time left", "時間切れ"),
};

export function reasonWords(reason: LeftReason): Text {
  return REASONS[reason];
}
