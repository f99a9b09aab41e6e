/** What the command says about pipelines. */
import { type Text, text } from "../../lib/text.ts";
import type { PlanStepView } from "../../views/pipeline.ts";

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const LIST = {
  origin: {
    project: text("this project", "このプロジェクト"),
    host: text("this project, in the client's directory", "このプロジェクト(クライアントの場所)"),
    shipped: text("comes with Sekisho", "Sekisho に付属"),
    given: text("a file", "ファイル"),
  } as Readonly<Record<string, Text>>,
  shadowed: text("not used: the one above has the same name", "使われません(上に同じ名前があります)"),
  broken: (errors: number) => text(`${counted(errors, "error")}`, `エラー ${errors} 件`),
};

export const CHECKED = {
  clean: (file: string, tiers: string) => text(`${file}: no problems. ${tiers}`, `${file}: 問題はありません。${tiers}`),
  total: (errors: number, warnings: number) =>
    text(
      `${counted(errors, "error")}, ${counted(warnings, "warning")}.`,
      `エラー ${errors} 件、警告 ${warnings} 件です。`,
    ),
  more: (count: number) =>
    text(`… and ${count} more; --json has all of them.`, `… ほか ${count} 件(すべては --json で見られます)。`),
  none: text("There are no pipelines here.", "ここにパイプラインはありません。"),
};

export const PLAN = {
  by: {
    agent: text("an agent", "エージェント"),
    commands: text("commands", "コマンド"),
    evidence: text("evidence", "証拠"),
    verdict: text("an agent's verdict", "エージェントの判定"),
    person: text("a person", "人"),
  } satisfies Record<PlanStepView["by"], Text>,
  tries: (count: number) => text(counted(count, "try", "tries"), `${count} 回まで`),
  optional: text("optional", "任意"),
  when: (condition: string) => text(`if ${condition}`, `条件: ${condition}`),
  retries: (count: number) =>
    text(`${counted(count, "retry", "retries")} in all, then the run ends.`, `再試行は全体で ${count} 回までです。`),
  budget: (parts: string) => text(`Budget: ${parts}.`, `上限: ${parts}。`),
  noBudget: text("No budget of its own.", "固有の上限はありません。"),
  nothingRan: text("Nothing was run.", "何も実行していません。"),
  by_size: {
    asked: text("as you asked", "指定どおり"),
    only: text("the only one", "唯一の区分"),
    files: text("by the number of files", "ファイル数から"),
    change: text("by the change in this work tree", "作業ツリーの変更から"),
  },
};

export const IMPORTED = {
  done: (path: string, steps: number) =>
    text(`${path}: ${counted(steps, "step")}.`, `${path}: ステップ ${steps} 件を書き出しました。`),
  audits: (count: number) =>
    text(
      `${counted(count, "gate")} for needs_audit: an agent's verdict is asked there.`,
      `needs_audit は、エージェントが判定するゲート ${count} 件になりました。`,
    ),
  quoted: (lines: readonly number[]) =>
    text(
      lines.length === 1
        ? `Line ${lines[0]} of the original is not valid YAML; its value was put into quotes.`
        : `Lines ${lines.join(", ")} of the original are not valid YAML; their values were put into quotes.`,
      `元のファイルの ${lines.join("・")} 行目は YAML として正しくないので、値を引用符で囲みました。`,
    ),
  next: (name: string) =>
    text(
      `Read it, then \`sekisho pipeline validate ${name}\`.`,
      `内容を読み、\`sekisho pipeline validate ${name}\` で確認してください。`,
    ),
};
