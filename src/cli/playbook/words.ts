/** What the commands about plans say, in both languages. */
import type { BoxResult } from "../../app/actions/playbook-check.ts";
import { type Text, text } from "../../lib/text.ts";
import type { ImportNote } from "../../playbook/import.ts";
import type { Tier, Weight } from "../../playbook/ladder.ts";
import type { PlaybookView, StepView } from "../../views/playbook.ts";

type By<K extends string, V> = Readonly<Record<K, V>>;

export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

export const STANDING: By<PlaybookView["standing"]["is"], Text> = {
  draft: text("not approved", "未承認です"),
  approved: text("approved, not begun", "承認済みです。まだ開始していません"),
  "set aside": text("approved; another plan is the active one", "承認済みですが、別の計画が有効です"),
  "at work": text("at work", "作業中です"),
  changed: text("changed since it was approved", "承認後に変更されました"),
};

export const STEP: By<StepView["is"], Text> = {
  open: text("open", "未完了"),
  claimed: text("claimed", "申告のみ"),
  passed: text("passed", "合格"),
  deferred: text("deferred", "保留"),
};

export const STATUS = {
  none: text(
    "There is no playbook here. `sekisho playbook new NAME` makes one.",
    "計画はまだありません。`sekisho playbook new NAME` で作れます。",
  ),
  progress: (proven: number, boxes: number, claimed: number) =>
    text(
      `${proven} of ${boxes} proven, ${claimed} claimed`,
      `${boxes} 件中 ${proven} 件を証明、${claimed} 件は申告のみ`,
    ),
  tokens: (tokens: number) => text(`about ${tokens} tokens`, `約 ${tokens} トークン`),
  reviewed: (verdict: string) => text(`reviewer: ${verdict}`, `reviewer の判定: ${verdict}`),
  reviewedOther: text("reviewed in other words", "レビュー後に文言が変わりました"),
  after: (ids: readonly string[]) => text(`after ${ids.join(", ")}`, `${ids.join(", ")} の後`),
  unboxed: (id: string) =>
    text(`step ${id} has no box, so it does not count.`, `ステップ ${id} にはボックスがないため、数えません。`),
  said: (step: string) =>
    text(
      `Every command has passed. A step is done when a critic passes it, or you say so: \`sekisho playbook step ${step} done\`.`,
      `コマンドはすべて成功しました。批評役が合格とするか、あなたが \`sekisho playbook step ${step} done\` を実行すると完了になります。`,
    ),
  ticks: (count: number) =>
    text(
      count === 1
        ? "1 tick is a claim: nothing here proves it."
        : `${count} ticks are claims: nothing here proves them.`,
      `${count} 件のチェックは申告です。証拠はありません。`,
    ),
};

export const CLAIM: By<PlaybookView["claims"][number]["kind"], (count: number) => Text> = {
  "open-boxes": (count) =>
    text(
      `is marked done with ${counted(count, "open box", "open boxes")}`,
      `は完了とありますが、未完了が ${count} 件あります`,
    ),
  "open-final": (count) =>
    text(
      `is marked done, but ${count} final ${count === 1 ? "task is" : "tasks are"} open`,
      `は完了とありますが、最終作業が ${count} 件残っています`,
    ),
  "no-evidence": (count) => text(`has ${count} PASS without evidence`, `には根拠のない PASS が ${count} 件あります`),
  "not-passed": (count) =>
    text(
      `is ticked, but ${count} of its validations did not pass`,
      `はチェック済みですが、検証が ${count} 件通っていません`,
    ),
  ticked: () =>
    text("is ticked, and no command of ours has proven it", "はチェック済みですが、証明したコマンドがありません"),
};

export const LINT = {
  clean: (path: string) => text(`${path}: nothing to object to.`, `${path}: 問題はありません。`),
  summary: (errors: number, warnings: number) =>
    text(
      `${counted(errors, "error")}, ${counted(warnings, "warning")}.`,
      `エラー ${errors} 件、警告 ${warnings} 件です。`,
    ),
};

export const MADE = {
  new: (name: string, isStrict: boolean) => {
    const lint = `\`sekisho playbook lint ${isStrict ? "--strict " : ""}${name}\``;
    return text(`Fill it in, then ${lint}.`, `記入したら ${lint} で確認してください。`);
  },
  grown: (name: string) =>
    text(
      `Complete it, then \`sekisho playbook lint ${name}\`.`,
      `書き足したら \`sekisho playbook lint ${name}\` で確認してください。`,
    ),
  imported: (name: string) =>
    text(
      `Read it. \`sekisho playbook lint ${name}\` says what it lacks, \`sekisho playbook approve ${name}\` lets the work begin.`,
      `内容を読んでください。\`sekisho playbook lint ${name}\` で不足を確認し、\`sekisho playbook approve ${name}\` で承認すると始められます。`,
    ),
};

export const IMPORT_NOTE: By<ImportNote["kind"], (count: number) => Text> = {
  rewritten: (count) =>
    text(
      `${counted(count, "command")} ended in \`&& echo …\` and could not fail. Only the command itself was kept.`,
      `${count} 件のコマンドは \`&& echo …\` で終わり、失敗しないものでした。コマンド本体だけを残しました。`,
    ),
  unticked: (count) =>
    text(
      `${counted(count, "ticked box is", "ticked boxes are")} open again: nothing here proves what it says.`,
      `チェック済みの ${count} 件を未完了に戻しました。ここには証拠がありません。`,
    ),
};

export const APPROVED = {
  plan: (path: string, steps: number) =>
    text(
      `${path} is approved as it is now: ${counted(steps, "step")}.`,
      `${path} を今の内容で承認しました(ステップ ${steps} 件)。`,
    ),
  adopted: (path: string, dialect: string, steps: number, boxes: number) =>
    text(
      `${path} (${dialect}) is approved as it is now: ${counted(steps, "step")}, ${counted(boxes, "box", "boxes")}.`,
      `${path}(${dialect})を今の内容で承認しました(ステップ ${steps} 件、ボックス ${boxes} 件)。`,
    ),
  errors: (count: number, name: string) =>
    text(
      `Lint finds ${counted(count, "error")} in it: \`sekisho playbook lint ${name}\`.`,
      `エラーが ${count} 件あります。\`sekisho playbook lint ${name}\` で確認できます。`,
    ),
  next: (name: string) =>
    text(
      `\`sekisho playbook start ${name}\` begins the work.`,
      `\`sekisho playbook start ${name}\` で作業を開始します。`,
    ),
};

export const WORK = {
  begun: (path: string, step: string | null) =>
    text(
      `${path} is at work${step === null ? "" : `, at step ${step}`}.`,
      `${path} の作業を開始しました${step === null ? "" : `(ステップ ${step})`}。`,
    ),
  onMain: (branch: string) =>
    text(
      `You are on ${branch}. \`git switch -c NAME\` makes a branch for the plan.`,
      `現在のブランチは ${branch} です。\`git switch -c NAME\` で計画用のブランチを作れます。`,
    ),
  current: (id: string) => text(`Step ${id} is the one that is worked on.`, `ステップ ${id} を作業中にしました。`),
  claimed: (id: string) =>
    text(
      `You say that step ${id} is done. A critic must say so: start the subagent \`sekisho:critic\`.`,
      `ステップ ${id} の完了を申告しました。判定するのは critic です。サブエージェント \`sekisho:critic\` を起動してください。`,
    ),
  passed: (id: string) => text(`Step ${id} is done: you say so.`, `ステップ ${id} を、あなたの判断で完了にしました。`),
};

export const REVIEW = {
  none: text("not reviewed", "レビューされていません"),
  stale: (verdict: string) =>
    text(
      `reviewer: ${verdict}, but the plan has changed since`,
      `reviewer の判定: ${verdict}(その後、計画が変わりました)`,
    ),
  ask: text(
    "Let the agent start the subagent `sekisho:reviewer` for this plan. Its verdict is recorded by itself.",
    "エージェントに、この計画のためのサブエージェント `sekisho:reviewer` を起動させてください。判定は自動で記録されます。",
  ),
};

export const NEEDS: By<Tier, Text> = {
  free: text("no plan, no ceremony", "計画は不要です"),
  S: text("one passing command", "成功したコマンドが一つ必要です"),
  M: text("a short plan, approved once, and a critic at the end", "短い計画と承認、最後に critic の確認が必要です"),
  L: text(
    "a plan with reviewer, approval and branch, and a critic per step",
    "reviewer・承認・ブランチのある計画と、ステップごとの critic が必要です",
  ),
};

export const WEIGHT: By<Weight, Text> = {
  dependencies: text("dependencies", "依存関係"),
  ci: text("continuous integration", "CI"),
  schema: text("a schema, interface or migration", "スキーマ・インターフェース・マイグレーション"),
  protected: text("a protected file", "保護されたファイル"),
};

export const SIZE = {
  counts: (files: number, lines: number) =>
    text(`${counted(files, "file")}, ${counted(lines, "line")} that count`, `対象は ${files} ファイル、${lines} 行`),
  apart: text(
    "Documents, comments, formatting, lock files and build output do not count.",
    "文書・コメント・整形・ロックファイル・生成物は数えません。",
  ),
};

export const CHECK = {
  outcome: {
    passed: text("proven", "証明済み"),
    failed: text("not proven", "証明できず"),
    refused: text("not run", "実行せず"),
    unsound: text("not run", "実行せず"),
    none: text("no command", "コマンドなし"),
  } satisfies By<BoxResult["outcome"], Text>,
  shared: (id: string) => text(`as for ${id}`, `${id} と同じ`),
  changed: text(
    "Files changed while the commands ran, so nothing was recorded. Run it again.",
    "実行中にファイルが変わったため、記録していません。もう一度実行してください。",
  ),
  total: (path: string, proven: number, all: number, without: number) =>
    text(
      `${path}: ${proven} of ${all} proven${without > 0 ? `, ${without} without a command` : ""}.`,
      `${path}: ${all} 件中 ${proven} 件を証明しました${without > 0 ? `(コマンドなし ${without} 件)` : ""}。`,
    ),
};

export const CLOSED = {
  here: (path: string, archived: string | null) =>
    text(
      archived === null ? `${path} is closed.` : `${path} is closed, and lies in ${archived}.`,
      archived === null ? `${path} を終了しました。` : `${path} を終了し、${archived} に移しました。`,
    ),
  unproven: (ids: readonly string[]) => text(`Not proven: ${ids.join(", ")}.`, `証明なし: ${ids.join(", ")}`),
  published: (branch: string, request: string) =>
    text(`Pull request for ${branch}: ${request}`, `${branch} のプルリクエスト: ${request}`),
  uncommitted: (files: readonly string[]) => {
    const shown = `${files.slice(0, 5).join(", ")}${files.length > 5 ? ", …" : ""}`;
    return text(
      `${counted(files.length, "file")} in no commit: ${shown}`,
      `コミットされていないファイルが ${files.length} 件あります: ${shown}`,
    );
  },
  next: (plans: readonly string[]) =>
    plans.length === 0
      ? text(
          "Nothing is active now. `sekisho playbook new NAME` begins the next plan; the conversation may be cleared.",
          "有効な計画はありません。次の計画は `sekisho playbook new NAME` で作れます。会話は消して構いません。",
        )
      : text(
          `Nothing is active now. Next: ${plans.slice(0, 3).join(", ")}. The conversation may be cleared.`,
          `有効な計画はありません。次の候補: ${plans.slice(0, 3).join(", ")}。会話は消して構いません。`,
        ),
};
