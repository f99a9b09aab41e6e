/**
 * The working guide shown at the start of a session. `scripts/plugin.mjs` generates the plugin's `getting-started`
 * skill from it. One line per note; a note longer than 400 characters would be cut.
 */
import type { HostTraits } from "../../kernel/host-traits.ts";
import { type Text, text } from "../../lib/text.ts";

export function guide({ contextDirectory }: Pick<HostTraits, "contextDirectory">): readonly Text[] {
  return [...opening(), ...working(), ...keeping(contextDirectory)];
}

function opening(): readonly Text[] {
  return [
    text("# Getting started", "# はじめに"),
    blank,
    text(
      "Sekisho is a checkpoint on this client's hooks. It judges every tool use by facts: what was read, run and changed here, not what is said about it.",
      "関所はこのクライアントのフックに立つ検問所です。ツールの使用を、言葉ではなく事実 (実際に読み、実行し、変えたもの) で判断します。",
    ),
    blank,
  ];
}

function working(): readonly Text[] {
  return [
    text("## Working with it", "## 進め方"),
    blank,
    text(
      "- A refusal says what, why and what to do instead. Do that. Another way to the same end is refused as well; if the refusal is wrong, tell the person: only people can lift it.",
      "- 拒否には、内容、理由、代わりにすることが書いてあります。それに従ってください。別の手段で同じことをしても拒否されます。拒否が誤りなら利用者に伝えてください。解除できるのは人だけです。",
    ),
    text(
      "- Read a file before you change it, and keep to what was asked.",
      "- 変更する前にファイルを読み、頼まれた範囲にとどめてください。",
    ),
    text(
      "- Before the first edit take up the skill that fits: `code-quality-rules` for code, `document-quality-rules` for documents, `writing-skills` for skills. Where such a rule is on, an edit without it is refused.",
      "- 最初の編集の前に、合うスキルを使ってください: コードは `code-quality-rules`、文書は `document-quality-rules`、スキルは `writing-skills`。この規則が有効な場所では、使わない編集は拒否されます。",
    ),
    text(
      "- Done means shown. After the last change of code the project's own checks must have run here and passed. `npm test || true`, a pipe that hides the exit code and a part of the tests prove nothing.",
      "- 完了とは、示せることです。最後のコード変更の後に、プロジェクトの検査がここで実行され、通っていなければなりません。`npm test || true`、終了コードを隠すパイプ、一部だけのテストは証拠になりません。",
    ),
    text(
      "- `sekisho evidence` shows what counts now, `sekisho verify` runs the checks that are missing, `sekisho certificate` writes down what was proved. Take up `verification-before-completion` before you say that something is done.",
      "- `sekisho evidence` は今有効な証拠を示し、`sekisho verify` は足りない検査を実行し、`sekisho certificate` は証明したことを書き出します。完了と言う前に `verification-before-completion` を使ってください。",
    ),
    text(
      "- Whoever implemented something does not review it: give the review to another agent.",
      "- 実装した者は自分のレビューをしません。レビューは別のエージェントに任せてください。",
    ),
    blank,
  ];
}

function keeping(directory: string): readonly Text[] {
  return [
    text("## Files that outlive the conversation", "## 会話より長く残るファイル"),
    blank,
    text(
      `- \`${directory}/\`: \`task_plan.md\` is the task at hand, deleted when it is done; \`progress.md\` has the newest entry on top, each under a \`## \` heading, at most ten; \`learnings.md\` is kept for good.`,
      `- \`${directory}/\`: \`task_plan.md\` は今の作業 (終わったら削除)、\`progress.md\` は新しい順に \`## \` 見出しで最大十件、\`learnings.md\` はずっと残します。`,
    ),
    text(
      "- Write them unasked, when something is finished, decided or learned; read them when the task needs them.",
      "- 終えたこと、決めたこと、学んだことは、言われなくても書いてください。読むのは必要なときだけです。",
    ),
    text(
      "- A learning says how often it was confirmed, when last, and for which kind of work. Show past ones to the person with where they come from; never apply them silently.",
      "- 学びには、確認された回数、最後の日付、対象の作業を添えます。過去の学びは出どころと共に利用者に示し、黙って適用しないでください。",
    ),
    text(
      "- With `context.guide` on, entries beyond ten move to `progress-archive.md` when the conversation is compacted. Nothing is lost.",
      "- `context.guide` が有効なら、会話の圧縮時に十件を超えた分が `progress-archive.md` へ移ります。失われるものはありません。",
    ),
  ];
}

const blank = text("", "");
