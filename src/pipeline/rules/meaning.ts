/** What can be wrong with a definition that could be read. */
import { text } from "../../lib/text.ts";
import { error, type Rule, warning } from "./rule.ts";

const MISSING_PROGRAM = [
  text("The program “{word}” is not on this machine.", "プログラム「{word}」がこの環境にありません。"),
  text("Install it, or correct the line.", "インストールするか、行を直してください。"),
] as const;

const MISSING_SCRIPT = [
  text("package.json has no script “{word}”.", "package.json にスクリプト「{word}」がありません。"),
  text("Add it, or name one that is there{more}.", "加えるか、あるものを書いてください{more}。"),
] as const;

/** `missing-here`: in a file of another project or tool, which need not run here. */
export const MEANING = {
  "no-name": error(
    text("The pipeline has no name.", "パイプラインに名前がありません。"),
    text("Write `name: BUG_FIX` at the top.", "先頭に `name: BUG_FIX` のように書いてください。"),
  ),
  "bad-name": error(
    text("“{word}” cannot be the name of a pipeline.", "「{word}」はパイプラインの名前にできません。"),
    text("Use at most 64 letters, digits, `_` and `-`.", "64 文字までの文字・数字・`_`・`-` を使ってください。"),
  ),
  "bad-version": warning(
    text("“{word}” is not a version.", "「{word}」はバージョンの形ではありません。"),
    text("Write three numbers: `1.0.0`.", "`1.0.0` のように三つの数で書いてください。"),
  ),
  "no-steps": error(
    text("The pipeline has no steps.", "ステップがありません。"),
    text("Add `steps:` with at least one step.", "`steps:` に一つ以上のステップを書いてください。"),
  ),
  "empty-tier": error(
    text("Tier {word} has no steps.", "区分 {word} にステップがありません。"),
    text("List the steps in their order.", "ステップを順番に並べてください。"),
  ),
  "tier-of-tier": error(
    text(
      "Tier {word} is meant to be as {more}, which is not a tier with steps of its own.",
      "区分 {word} は {more} と同じとありますが、{more} は自分のステップを持つ区分ではありません。",
    ),
    text("Name a tier that lists its steps.", "ステップを並べた区分の名前を書いてください。"),
  ),
  "unknown-step": error(
    text("There is no step “{word}”.", "「{word}」というステップはありません。"),
    text("Name a step that stands under `steps:`{more}.", "`steps:` にあるステップの名前を書いてください{more}。"),
  ),
  "listed-twice": error(
    text("Step {word} stands twice in tier {more}.", "ステップ {word} が区分 {more} に二度あります。"),
    text("Keep one of them; `retry` repeats a step.", "一つにしてください。繰り返しは `retry` で書けます。"),
  ),
  "never-run": warning(
    text("Step {word} is in no tier, so it never runs.", "ステップ {word} はどの区分にもないので、実行されません。"),
    text("Add it to a tier, or remove it.", "区分に加えるか、消してください。"),
  ),
  cycle: error(
    text("Steps wait for each other in a circle: {word}.", "ステップが互いを待って循環しています: {word}"),
    text("Remove one of these `depends_on`.", "`depends_on` を一つ消してください。"),
  ),
  "out-of-order": error(
    text(
      "Step {word} depends on {more}, which comes later in the tier.",
      "ステップ {word} の依存先 {more} は、区分の中で後にあります。",
    ),
    text("Move {more} before {word}.", "{more} を {word} の前に移してください。"),
  ),
  "revert-forward": error(
    text(
      "After a failure of {word} the run would go forward, to {more}.",
      "{word} の失敗後に、先のステップ {more} へ進むことになります。",
    ),
    text("Name {word} itself or a step before it.", "{word} 自身か、その前のステップを書いてください。"),
  ),
  "revert-elsewhere": error(
    text(
      "{word} reverts to a step that its tier does not have: {more}.",
      "{word} の戻り先が、同じ区分にありません: {more}",
    ),
    text(
      "Name a step that is in every tier of {word}.",
      "{word} のあるすべての区分に含まれるステップを書いてください。",
    ),
  ),
  "above-max": error(
    text("Model {word} is above the highest allowed one, {more}.", "モデル {word} は上限の {more} を超えています。"),
    text("Lower `model`, or raise `max_model`.", "`model` を下げるか、`max_model` を上げてください。"),
  ),
  "order-falls": error(
    text("The models do not rise: {word}.", "モデルの順序が上がっていません: {word}"),
    text("Write `[haiku, sonnet, opus]`, or a part of it.", "`[haiku, sonnet, opus]` かその一部を書いてください。"),
  ),
  "gate-of-nothing": error(
    text(
      "Gate {word} looks at nothing, so anything would pass.",
      "ゲート {word} は何も見ないので、何でも通ってしまいます。",
    ),
    text(
      "Add `checks: [test]`, or `requires_user: true` for a person's yes.",
      "`checks: [test]` か、人の承認なら `requires_user: true` を加えてください。",
    ),
  ),
  "gate-of-nobody": error(
    text(
      "Gate {word} is a person's, but `requires_user` is false.",
      "ゲート {word} は人の判断ですが、`requires_user` が false です。",
    ),
    text("Write `requires_user: true`, or another type.", "`requires_user: true` にするか、type を変えてください。"),
  ),
  "unknown-gate-type": warning(
    text(
      "“{word}” is not a type of gate; it is read as {more}.",
      "「{word}」というゲートの種類はありません。{more} として読みます。",
    ),
    text("Write `machine`, `ai` or `human`.", "`machine`・`ai`・`human` のどれかを書いてください。"),
  ),
  "gate-on-work": warning(
    text(
      "{word} has `gate`, but its type is not gate, so nothing is decided there.",
      "{word} に `gate` がありますが type が gate ではないので、判定は行われません。",
    ),
    text("Write `type: gate`, or remove `gate`.", "`type: gate` にするか、`gate` を消してください。"),
  ),
  "nothing-to-run": warning(
    text("{word} is automatic and has no commands.", "{word} は automatic ですが、コマンドがありません。"),
    text(
      "Add `commands`, or `optional: true` if it only describes.",
      "`commands` を加えるか、説明だけなら `optional: true` にしてください。",
    ),
  ),
  "nothing-to-do": warning(
    text("{word} does not say what is to be done.", "{word} に、何をするのか書いてありません。"),
    text("Add a `description`, `prompt` or `skill`.", "`description`・`prompt`・`skill` のどれかを書いてください。"),
  ),
  "fix-before-red": error(
    text(
      "In tier {more}, {word} (green) comes before any test was seen failing.",
      "区分 {more} では、{word}(green)より前に失敗を確認するテストがありません。",
    ),
    text("Put a step with `tdd_phase: red` before it.", "その前に `tdd_phase: red` のステップを置いてください。"),
  ),
  "budget-above-run": error(
    text(
      "The step may use more than the whole run ({word} > {more}).",
      "ステップの上限が実行全体の上限を超えています({word} > {more})。",
    ),
    text("Lower it, or raise the budget of the pipeline.", "下げるか、パイプラインの budget を上げてください。"),
  ),
  "fix-without-auto": warning(
    text(
      "`auto_fix_command` is never run, because `auto_fix` is not true.",
      "`auto_fix` が true ではないので、`auto_fix_command` は実行されません。",
    ),
    text("Add `auto_fix: true`.", "`auto_fix: true` を加えてください。"),
  ),
  "two-conditions": error(
    text("{word} has more than one condition.", "{word} に条件が二つ以上あります。"),
    text("Join them in `when` with `&&`.", "`when` に `&&` でまとめてください。"),
  ),
  "bad-condition": error(
    text("The condition cannot be read at “{word}”.", "条件の「{word}」が読めません。"),
    text(
      "For example: `tier == 'L' && steps.plan.status == 'passed'`.",
      "例: `tier == 'L' && steps.plan.status == 'passed'`",
    ),
  ),
  "unknown-in-condition": error(
    text("“{word}” has no value here.", "「{word}」には値がありません。"),
    text("Known: {more}.", "使えるもの: {more}"),
  ),
  "compares-outside": error(
    text("“{word}” is never one of {more}.", "「{word}」は {more} のどれにもなりません。"),
    text("Compare it with one of these.", "このどれかと比べてください。"),
  ),
  "spliced-value": error(
    text("{word} would be put into the text of a shell line.", "{word} がシェルの行の文字列に埋め込まれます。"),
    text(
      'Use an environment variable in quotes: `"$SEKISHO_INPUT_NAME"`.',
      '引用符で囲んだ環境変数を使ってください。例: `"$SEKISHO_INPUT_NAME"`',
    ),
  ),
  "bad-default": error(
    text(
      "The default “{word}” is not possible for this input ({more}).",
      "既定値「{word}」はこの入力では使えません({more})。",
    ),
    text("Change one of the two.", "どちらかを直してください。"),
  ),
  "dod-twice": error(
    text("Two items of the completion contract are called {word}.", "完了条件の {word} が二つあります。"),
    text("Give each its own id.", "id を重ならないようにしてください。"),
  ),
  "missing-program": error(...MISSING_PROGRAM),
  "missing-here": warning(...MISSING_PROGRAM),
  "missing-script": error(...MISSING_SCRIPT),
  "missing-script-here": warning(...MISSING_SCRIPT),
  "unreadable-command": error(
    text("This is not a shell line that can be run: {word}", "シェルで実行できる行ではありません: {word}"),
    text("Close quotes and brackets, and write one command.", "引用符や括弧を閉じ、コマンドを一つ書いてください。"),
  ),
} as const satisfies Record<string, Rule>;
