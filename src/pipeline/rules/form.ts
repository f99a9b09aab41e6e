/** What can be wrong with a file and with the form of its values. */
import { text } from "../../lib/text.ts";
import { error, type Rule } from "./rule.ts";

export const FORM = {
  unreadable: error(
    text("The file {word}.", "このファイルは読めません({word})。"),
    text("Put a plain YAML file in its place.", "通常の YAML ファイルを置いてください。"),
  ),
  "too-long": error(
    text("The file is longer than {word}.", "ファイルが {word} を超えています。"),
    text("Split it into several pipelines.", "複数のパイプラインに分けてください。"),
  ),
  binary: error(
    text("The file is not UTF-8 text.", "UTF-8 のテキストではありません。"),
    text("Save it as UTF-8.", "UTF-8 で保存してください。"),
  ),
  empty: error(
    text("There is nothing in the file.", "ファイルに内容がありません。"),
    text("Begin with `name:`, `tiers:` and `steps:`.", "`name:`・`tiers:`・`steps:` から始めてください。"),
  ),
  yaml: error(
    text("This is not valid YAML: {word}", "YAML として読めません: {word}"),
    text(
      "Indent with spaces, and put quotes around values that contain `: ` or ` #`.",
      "字下げは空白で行い、`: ` や ` #` を含む値は引用符で囲んでください。",
    ),
  ),
  tab: error(
    text("A tab is used as indentation.", "字下げにタブが使われています。"),
    text("Use spaces.", "空白を使ってください。"),
  ),
  documents: error(
    text("A second document begins here (`---`).", "二つ目の文書がここから始まっています(`---`)。"),
    text("Write one pipeline per file.", "一つのファイルに一つのパイプラインを書いてください。"),
  ),
  "too-deep": error(
    text(
      "It is nested too deeply, or an alias contains itself.",
      "入れ子が深すぎるか、エイリアスが自分自身を含んでいます。",
    ),
    text("Write the values out.", "値を展開して書いてください。"),
  ),
  "too-much": error(
    text("With its aliases it stands for more than {word} values.", "エイリアスを展開すると値が {word} 個を超えます。"),
    text("Write the values out.", "値を展開して書いてください。"),
  ),
  "key-twice": error(
    text("“{word}” stands twice here; first on line {more}.", "「{word}」が二度あります(最初は {more} 行目)。"),
    text("Keep one of them.", "どちらかを消してください。"),
  ),
  "key-of-values": error(
    text("A list or a map cannot be a key.", "リストやマップはキーにできません。"),
    text("Use a plain word.", "普通の語を使ってください。"),
  ),
  "no-anchor": error(
    text("There is no anchor “&{word}” above.", "「&{word}」というアンカーが前にありません。"),
    text(
      "Write the value, or put `&{word}` before it where it stands first.",
      "値を書くか、最初の値に `&{word}` を付けてください。",
    ),
  ),
  "bad-merge": error(
    text("`<<` needs a map.", "`<<` にはマップが必要です。"),
    text("Name an anchor of a map: `<<: *common`.", "マップのアンカーを書いてください。例: `<<: *common`"),
  ),
  "not-a-map": error(
    text("Fields are expected here, not “{word}”.", "ここには項目が必要です(「{word}」ではなく)。"),
    text("Write `key: value` on lines of their own.", "`キー: 値` を一行ずつ書いてください。"),
  ),
  "not-steps": error(
    text("Steps are expected here, not “{word}”.", "ここにはステップが必要です(「{word}」ではなく)。"),
    text(
      "Write `build:` and its fields below, or a list with `- id: build`.",
      "`build:` とその項目、または `- id: build` のリストを書いてください。",
    ),
  ),
  "not-words": error(
    text("Words are expected here, not a list or fields.", "ここには語が必要です(リストや項目ではなく)。"),
    text("Write one value.", "値を一つ書いてください。"),
  ),
  "not-a-flag": error(
    text("“{word}” is neither true nor false.", "「{word}」は true でも false でもありません。"),
    text("Write `true` or `false`.", "`true` か `false` を書いてください。"),
  ),
  "not-a-count": error(
    text("“{word}” is not a whole number from {more} on.", "「{word}」は {more} 以上の整数ではありません。"),
    text("Write a number such as `3`.", "`3` のような数を書いてください。"),
  ),
  "negative-retry": error(
    text("“{word}” is not a number of further tries (0 or more).", "「{word}」は再試行の回数(0 以上)ではありません。"),
    text("Write `0` for one try only.", "一度だけなら `0` と書いてください。"),
  ),
  "no-budget": error(
    text("A limit of “{word}” has no meaning.", "「{word}」は上限になりません。"),
    text(
      "Write a number above 0, or leave it out for no limit.",
      "0 より大きい数を書くか、上限なしなら消してください。",
    ),
  ),
  "not-a-time": error(
    text("“{word}” is not a length of time.", "「{word}」は時間の長さではありません。"),
    text("Write seconds, or `90s`, `15m`, `1h 30m`.", "秒数か、`90s`・`15m`・`1h 30m` のように書いてください。"),
  ),
  "not-one-of": error(
    text("“{word}” is not possible here.", "「{word}」はここでは使えません。"),
    text("Possible: {more}.", "使えるもの: {more}"),
  ),
  "unknown-model": error(
    text("“{word}” is not a model.", "「{word}」というモデルはありません。"),
    text("Write {more}.", "{more} のどれかを書いてください。"),
  ),
  "unknown-check": error(
    text("“{word}” is not a check of a project.", "「{word}」というチェックはありません。"),
    text("Write {more}.", "{more} のどれかを書いてください。"),
  ),
  "bad-id": error(
    text("“{word}” cannot be the name of a step or tier.", "「{word}」はステップや区分の名前にできません。"),
    text("Use at most 64 letters, digits, `_` and `-`.", "64 文字までの文字・数字・`_`・`-` を使ってください。"),
  ),
  "no-id": error(
    text("A step in a list needs an `id`.", "リストのステップには `id` が必要です。"),
    text("Begin it with `- id: build`.", "`- id: build` で始めてください。"),
  ),
  "step-twice": error(
    text(
      "There are two steps “{word}”; the first is on line {more}.",
      "ステップ「{word}」が二つあります(最初は {more} 行目)。",
    ),
    text("Rename one of them.", "どちらかの名前を変えてください。"),
  ),
  "unknown-key": error(
    text("“{word}” is not a field here.", "「{word}」という項目はここにはありません。"),
    text("Remove it, or make it a comment (`#`).", "消すか、コメント(`#`)にしてください。"),
  ),
  "misspelt-key": error(
    text("“{word}” is not a field here.", "「{word}」という項目はここにはありません。"),
    text("Did you mean {more}?", "もしかして: {more}"),
  ),
  "foreign-key": error(
    text("“{word}” is not a field here; other formats have it.", "「{word}」は他の形式の項目で、ここでは使えません。"),
    text("Here it is {more}.", "ここでは {more} です。"),
  ),
  "said-twice": error(
    text("“{word}” says the same as “{more}” above.", "「{word}」は上の「{more}」と同じ意味です。"),
    text("Keep one of them.", "どちらかを消してください。"),
  ),
} as const satisfies Record<string, Rule>;
