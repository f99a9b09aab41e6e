/** What is said of a file that another agent works on. */
import type { ClaimFound } from "../../kernel/facts.ts";
import { inline, type Text, text } from "../../lib/text.ts";

export function wordsFor({ path, name, glob, at }: ClaimFound, others: number, now: number): Text {
  const [file, who] = [inline(path.slice(path.lastIndexOf("/") + 1), 60), inline(name, 40)];
  const minutes = Math.max(0, Math.floor((now - at) / 60_000));
  const [since, jaSince] = minutes < 1 ? ["just now", "たった今"] : [`${minutes} min ago`, `${minutes} 分前`];
  const [more, jaMore] =
    others === 0 ? ["", ""] : [` The same holds for ${others} more.`, `ほか ${others} 件も同じです。`];
  return glob === undefined
    ? text(
        `${who} changed ${file} ${since} and has not committed it.${more}`,
        `${who} が ${file} を${jaSince}変更し、まだコミットしていません。${jaMore}`,
      )
    : text(
        `${who} reserved ${file} (${inline(glob, 40)}) ${since}.${more}`,
        `${who} が ${file}（${inline(glob, 40)}）を${jaSince}確保しました。${jaMore}`,
      );
}

export function agree({ en, ja }: Text, { name }: ClaimFound): Text {
  const who = inline(name, 40);
  return text(`${en} Agree with ${who} before you go on.`, `${ja}続ける前に ${who} と調整してください。`);
}

export function fixFor({ name }: ClaimFound): Text {
  const who = inline(name, 40);
  return text(
    `Work on another file, or ask ${who} to commit it or to run \`sekisho agents release\`.`,
    `別のファイルで作業するか、${who} にコミットまたは \`sekisho agents release\` を頼んでください。`,
  );
}
