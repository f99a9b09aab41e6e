/** The project's own questions for the review of a plan. We write a first version; from then on the file is people's. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Text, text } from "../../lib/text.ts";
import { writeAnew } from "../../world/machine/new-file.ts";
import type { Here } from "../project.ts";
import type { Scope } from "./scope.ts";

export const REVIEW_CRITERIA = ".sekisho/frameworks/playbook-review-criteria.md";

/** Words for the person if the file was made, or could not be. Only where plans are reviewed, and never over a file. */
export function offerReviewCriteria({ settings, places, language }: Here, scope: Scope): string | undefined {
  const path = join(places.project, REVIEW_CRITERIA);
  // The person's own settings hold for all projects, and this is a file of one.
  if (settings.settings.plan.review === "off" || scope === "user" || existsSync(path)) return undefined;
  try {
    writeAnew(path, FIRST_VERSION[language]);
    return `${REVIEW_CRITERIA} has the questions for the review of a plan. It is yours to edit, and is not written again.`;
  } catch (error) {
    return `${REVIEW_CRITERIA} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const FIRST_VERSION: Text = text(
  `# Questions for the review of a plan

The agent \`reviewer\` answers these besides its own six questions. The file is yours: add what your project has learnt, and take out
what does not fit. Agents cannot change it.

## Every plan

- Who asked for it, and in which words? Does the plan do that, no more and no less?
- Which box could be ticked while the request is not met?
- Which command passes already, before anything is done?
- What does a step need that no earlier step makes?
- What is left out on purpose? Is it written down?

## Code

- Which test fails today and passes afterwards?
- Who calls what is changed? Are these callers in the scope?
- What happens on an error, on empty input, on a second run?

## Documents

- Who reads it, and what can they do afterwards?
- Which other pages say the same, and will they still be right?

## Design

- Which other way was considered, and why not?
- What would have to change if the main assumption is wrong?

## Operations

- How is it taken back, and who has tried that?
- What shows that it went wrong, and to whom?

## How issues count

| Issue | Counts as |
|---|---|
| a criterion that nobody can check, a command that cannot fail, work that nobody asked for | critical |
| a missing step, a missing way back, an unclear scope | major |
| wording, order | minor |
`,
  `# 計画レビューの問い

エージェント \`reviewer\` は、自身の六つの問いに加えて、次の問いにも答える。このファイルは利用者のものであり、プロジェクトで学んだことを
書き足し、合わないものは消してよい。エージェントは変更できない。

## すべての計画

- 誰が、どの言葉で依頼したか。計画はそれを過不足なく満たすか。
- 依頼が満たされていなくてもチェックできてしまうボックスはどれか。
- 何もしなくても今すでに成功するコマンドはどれか。
- 前のステップで作られないのに必要になるものは何か。
- 意図して外したものは何か。書いてあるか。

## コード

- 今は失敗し、終わった後に成功するテストはどれか。
- 変更する箇所を呼び出しているのはどこか。それは範囲に入っているか。
- エラーのとき、入力が空のとき、二度実行したときはどうなるか。

## 文書

- 誰が読み、読んだ後に何ができるか。
- 同じことを述べている他のページはどれか。正しいままか。

## 設計

- 他にどの方法を検討し、なぜ選ばなかったか。
- 前提が誤っていたら、何を変えることになるか。

## 運用

- どう元に戻すか。誰が試したか。
- 失敗は何によって、誰に分かるか。

## 問題の数え方

| 問題 | 扱い |
|---|---|
| 確かめられない条件、失敗しないコマンド、依頼にない作業 | critical |
| 足りないステップ、元に戻す方法がない、範囲があいまい | major |
| 言い回し、順序 | minor |
`,
);
