/** Every rule a plan is held to, with what is wrong and a better wording. */
import { type Text, text } from "../../lib/text.ts";

export interface Rule {
  /** A plan with an error cannot be started. */
  readonly severity: "error" | "warning";
  readonly says: Text;
  readonly better: Text;
}

const error = (says: Text, better: Text): Rule => ({ severity: "error", says, better });
const warning = (says: Text, better: Text): Rule => ({ severity: "warning", says, better });

export const RULES = {
  conflict: error(
    text("A merge conflict is left in the file.", "マージの競合が残っている。"),
    text(
      "Keep one side and delete the lines with <<<<<<<, ======= and >>>>>>>.",
      "片方を残し、<<<<<<<・=======・>>>>>>> の行を消す。",
    ),
  ),
  fence: error(
    text(
      "A code block is not closed, so the rest of the file is not read.",
      "コードブロックが閉じていないので、この先は読まれない。",
    ),
    text("Close it with the same marks it begins with.", "始まりと同じ記号で閉じる。"),
  ),
  empty: error(
    text("There are no steps.", "ステップがない。"),
    text(
      "Add a heading like `## 1 Component` with boxes (`- [ ]`) below it.",
      "`## 1 部品` のような見出しと、その下に `- [ ]` を書く。",
    ),
  ),
  "too-long": error(
    text("The file is too long to be a plan.", "計画としては長すぎる。"),
    text("Split it into several playbooks.", "複数のプレイブックに分ける。"),
  ),
  "no-what": error(
    text("It does not say what is to be made.", "何を作るのか書いていない。"),
    text(
      "Write `What: one shared button component` below the title.",
      "題名の下に `何を: 共通ボタン部品を一つ` のように書く。",
    ),
  ),
  "no-why": error(
    text("It does not say why.", "なぜ作るのか書いていない。"),
    text("Write `Why: three pages duplicate it`.", "`なぜ: 三つの画面に重複がある` のように書く。"),
  ),
  "no-done": error(
    text("It does not say when it is done.", "完了条件がない。"),
    text(
      "Write `Done when:` and a list of states that anyone can check.",
      "`完了条件:` の下に、誰でも確かめられる状態を並べる。",
    ),
  ),
  placeholder: error(
    text("The template's words were left in place of a title.", "ひな形の言葉が題名に残っている。"),
    text("Write the real title.", "実際の題名を書く。"),
  ),
  "no-answers": error(
    text(
      "The understanding check is incomplete: who, when, where or how is missing.",
      "理解確認が足りない(誰が・いつ・どこで・どのように)。",
    ),
    text("Add the missing line, for example `Where: src/`.", "足りない行を書く。例:`どこで: src/`"),
  ),
  "no-boxes": error(
    text("The step has no criterion.", "ステップに条件がない。"),
    text(
      "Add a box: `- [ ] 1.1 The button shows the label it is given`.",
      "`- [ ] 1.1 渡したラベルがボタンに表示される` のように書く。",
    ),
  ),
  "no-final": error(
    text("There is no step that proves the whole (p_final).", "全体を確かめるステップ(p_final)がない。"),
    text(
      "Add `## p_final: proof` with a criterion for each line of `Done when`.",
      "`## p_final: 証明` を加え、完了条件ごとに一つ条件を書く。",
    ),
  ),
  "no-self-update": error(
    text(
      "Three steps or more need one that brings the documents up to date (p_self_update).",
      "三つ以上のステップには、文書を更新するステップ(p_self_update)が要る。",
    ),
    text("Add `## p_self_update: documents` before p_final.", "p_final の前に `## p_self_update: 文書` を加える。"),
  ),
  "no-validations": error(
    text(
      "The three validations are missing: technical, consistency, completeness.",
      "technical・consistency・completeness の検証がない。",
    ),
    text("Say below the box how each is checked.", "それぞれをどう確かめるか、下に書く。"),
  ),
  "duplicate-id": error(
    text("The same id stands twice in the plan.", "同じ番号が二度ある。"),
    text("Give each box its own id.", "番号を重ならないようにする。"),
  ),
  "unknown-marker": warning(
    text("The mark in the box is unknown and counts as not done.", "ボックスの印が不明なので、未完了として数える。"),
    text("Use `[ ]`, `[-]` (in progress) or `[x]`.", "`[ ]`・`[-]`(作業中)・`[x]` を使う。"),
  ),
  "unknown-dependency": error(
    text("It depends on something that is not in the plan.", "依存先が計画にない。"),
    text("Name the id of a step or box in this file.", "このファイルにあるステップの番号を書く。"),
  ),
  cycle: error(
    text(
      "The steps depend on each other in a circle, so none can begin.",
      "ステップの依存が循環していて、始められない。",
    ),
    text("Remove one of the dependencies.", "依存を一つ消す。"),
  ),
  "needs-close": error(
    text(
      "It becomes true only after the plan is closed, so the plan could never be closed.",
      "計画を閉じた後にしか成り立たないので、閉じられなくなる。",
    ),
    text(
      "Leave archive, pull request and merge to `playbook close`.",
      "アーカイブ・PR・マージは `playbook close` に任せる。",
    ),
  ),
  unreadable: error(
    text("It is not a plain file, or cannot be read.", "通常のファイルではないか、読み取れない。"),
    text("Put a plain Markdown file in its place.", "通常の Markdown ファイルに置き換える。"),
  ),
  "too-many-tokens": warning(
    text(
      "The plan has more than 2,500 tokens. Long plans are not read.",
      "2,500 トークンを超えている。長い計画は読まれない。",
    ),
    text("Shorten it, or split it in two.", "短くするか、二つに分ける。"),
  ),
  hollow: error(
    text("The criterion says nothing.", "条件に中身がない。"),
    text(
      "Say what is true when it is done: “`npm test` exits with 0”.",
      "できあがった状態を書く。例:「`npm test` が 0 で終わる」",
    ),
  ),
  action: error(
    text("It names work, not a state that can be true or false.", "状態ではなく作業を書いている。"),
    text(
      "Say what is there afterwards: not “add a button” but “the page shows a button with the label Save”.",
      "終わった後の状態を書く。「ボタンを追加する」ではなく「画面に『保存』ボタンがある」。",
    ),
  ),
  vague: error(
    text("“{word}” is vague: two people could disagree about it.", "「{word}」はあいまいで、人によって判断が変わる。"),
    text(
      "Say what can be seen or measured: “answers within 200 ms”, “lists all five names”.",
      "見えること・測れることを書く。例:「200 ms 以内に応答する」「五件すべて表示される」",
    ),
  ),
  "open-ended": error(
    text("“{word}” has no end that anyone could check.", "「{word}」には確かめられる終わりがない。"),
    text(
      "Name the state that ends it: “the three pages import the same component”.",
      "終わりの状態を書く。例:「三つの画面が同じ部品を使っている」",
    ),
  ),
  "bare-success": error(
    text("“{word}” without a condition cannot be checked.", "条件のない「{word}」は確かめられない。"),
    text(
      "Given, when, then: “when the form is empty, Save is disabled”.",
      "「〜のとき、〜である」と書く。例:「入力が空のとき、保存は押せない」",
    ),
  ),
  compound: error(
    text("Two statements in one: half of it may be true.", "一文に二つの条件がある。"),
    text("Make two boxes.", "二つに分ける。"),
  ),
  several: warning(
    text("It lists several things, and some may be missing.", "複数のものを並べているので、一部だけ満たすことがある。"),
    text(
      "Make a box for each, or a command that checks them all.",
      "一つずつに分けるか、全部を確かめるコマンドを付ける。",
    ),
  ),
  tautological: error(
    text("It only repeats the name of the step.", "ステップの名前を繰り返しているだけ。"),
    text("Say what can be observed when the step is done.", "終わったときに観察できることを書く。"),
  ),
  proxy: warning(
    text("That something exists does not prove that it works.", "存在することは、動くことの証拠にならない。"),
    text(
      "Say what it does, and use a command that makes it do so.",
      "何をするかを書き、それを実際に行うコマンドを付ける。",
    ),
  ),
  "no-proof": error(
    text("There is no way to check it.", "確かめる方法がない。"),
    text(
      "Add below the box: Run: `npm test -- button` and Expected: exit 0.",
      "下に Run: `npm test -- button` と Expected: exit 0 を加える。",
    ),
  ),
  "pseudo-command": error(
    text("This is not a command that a shell can run.", "シェルで実行できるコマンドではない。"),
    text("Write the exact line, without placeholders.", "そのまま実行できる行を、省略なしで書く。"),
  ),
  "compound-command": error(
    text(
      "Several commands in one line: it is unclear which one failed.",
      "一行に複数のコマンドがあり、どれが失敗したか分からない。",
    ),
    text("Make a box for each, or put them into a script.", "一つずつに分けるか、スクリプトにする。"),
  ),
  "trivial-command": error(
    text("The command cannot fail, so it proves nothing.", "失敗しないコマンドは何も証明しない。"),
    text("Use one that fails while the work is missing.", "できていないと失敗するコマンドにする。"),
  ),
  "filtered-output": error(
    text("A pipe hides the exit code of the command before it.", "パイプで前のコマンドの終了コードが隠れる。"),
    text(
      "Run the command alone; say what its output contains in Expected.",
      "コマンドだけを実行し、出力の中身は Expected に書く。",
    ),
  ),
  "exit-swallowed": error(
    text("The line exits with 0 even if the command fails.", "コマンドが失敗しても 0 で終わる。"),
    text("Remove what stands after `||`, `;` or `&`.", "`||`・`;`・`&` より後ろを消す。"),
  ),
  "stale-command": error(
    text("It only looks at what an earlier run left behind.", "以前の実行結果を見ているだけ。"),
    text("Run the thing itself.", "実際に実行するコマンドにする。"),
  ),
  "proxy-command": error(
    text("It only checks that a file is there.", "ファイルがあるかを見ているだけ。"),
    text("Run what is in the file, or its test.", "中身を実行するか、そのテストを実行する。"),
  ),
  "unknown-expected": error(
    text("The expected result has no known form.", "期待する結果の書き方が不明。"),
    text(
      "Use `exit 0`, `>= 3`, `== 3` or `contains 3 passed`.",
      "`exit 0`・`>= 3`・`== 3`・`contains 3 passed` のどれかで書く。",
    ),
  ),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export interface Finding {
  readonly rule: RuleName;
  readonly line: number;
  /** The step or box; empty for the whole plan. */
  readonly id: string;
  /** The words that gave rise to it. */
  readonly words?: string;
  /** Stands for `{word}` in what the rule says. */
  readonly word?: string;
}
