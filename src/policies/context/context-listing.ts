/** Lists the context files for the agent: names, entry counts and dates, and the learnings that fit the activity. */
import type { ContextFile } from "../../kernel/facts.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { topicsFor } from "../../reading/documents/learnings.ts";

/** Empty when no file is relevant. */
export function listingOf(files: readonly ContextFile[], activity: string | undefined): readonly Text[] {
  const topics = topicsFor(activity);
  const wanted = files.filter(({ topic }) => topic === undefined || topics.includes(topic));
  if (wanted.length === 0) return [];
  return [
    text(
      "Context files (read them when the task needs them; show past learnings to the person, never apply them silently):",
      "文脈ファイル (必要なときに読み、過去の学びは黙って適用せず利用者に示してください):",
    ),
    ...wanted.map(lineOf),
  ];
}

function lineOf({ name, entries, more, modified }: ContextFile): Text {
  const shown = inline(name, 200);
  if (modified === undefined) return text(`- ${shown}: cannot be read`, `- ${shown}: 読めません`);
  const count = entries === undefined ? undefined : `${entries}${more ? "+" : ""}`;
  return text(
    `- ${shown}: ${count === undefined ? "" : `${count} entries, `}changed ${modified}`,
    `- ${shown}: ${count === undefined ? "" : `${count} 件、`}更新 ${modified}`,
  );
}
