/** The vocabulary of work that goes on until it is done. */
import {
  JA_TOLD,
  JA_WORK,
  japaneseOrdersFor,
  type KeywordWords,
  OBJECT,
  OTHER_PRODUCTS,
  ordersFor,
  PILOTS,
  WORK,
} from "./keyword-orders.ts";

const DONE =
  "(done|finished|complete|completed|it's done|it is done|it's finished|it is finished|it's complete|it is complete|" +
  "it works|it passes|all is done|all of it is done|everything is done|everything works|everything passes|" +
  "everything is finished|everything is complete|they all pass|they pass|all tests pass|the tests pass|tests pass|all the tests pass)";

/** Also where it is said what comes after it. */
function untilDone(before: string): readonly string[] {
  return ["$", "(,|;) (and |)(then|afterwards|after that)", " and then"].flatMap((end) => [
    `${before}(please |you |)(don't|do not|dont|never|not) (stop|quit|give up)(| working) (until|till|before) ${DONE}${end}`,
    `${before}(keep|continue|go on) (going|working|at it|iterating) (until|till) ${DONE}${end}`,
    `${before}(continue|work|iterate|proceed|go on)(| on it| on this| on them) (until|till) ${DONE}${end}`,
  ]);
}

const JA_PERSISTENT = "パーシステント~モード|永続~モード|継続~モード|ラルフ|ラルフ~モード|persistent~mode|ralph";
const JA_UNSTOPPED =
  "(止まらないで|止まらずに|止まらず|中断しないで|中断せずに|諦めないで|諦めずに|あきらめずに)(、|)~(最後まで|完了まで|全部|すべて|)";

/** Until it is made, or, of work without a name, until it is at its end. */
const JA_UNTIL = "(完了|完成)(する|)まで~(、|)";
const JA_MADE =
  "(実装して|修正して|開発して|作成して|対応して|移行して|完成させて|直して|作って|書いて|仕上げて|実装をして|修正をして)";
const JA_DONE = "(作業して|作業を続けて|続行して|継続して|進行して|進めて|続けて|やって|繰り返して|完成して|して)";

export const PERSISTENT_WORDS = {
  stems:
    "ralph persistent ラルフ パーシステント 永続 継続 完了 完成 止ま 中断 諦め あきらめ 手を止め stop quit give keep until till complete finish",
  alone: ["^(persistent|persistent mode|persistent-mode|ralph|ralph mode)(| on)$", `^(${JA_PERSISTENT})$`],
  strong: [
    ...ordersFor("persistent mode|persistent-mode|ralph|ralph mode"),
    `^ralph ${WORK} ${OBJECT}`,
    "^ralph (the|through) …30 until",
    `^ralph (|and )(${PILOTS})`,
    `^(${PILOTS}) (|and )ralph`,
    ...japaneseOrdersFor(JA_PERSISTENT),
    `^${JA_UNTIL}${JA_MADE}$`,
    `(を|は|に|で|、|て|全部|全て|すべて|必ず|タスク|作業|実装|修正|開発)${JA_UNTIL}${JA_MADE}$`,
    `^(これを|全部|全て|すべて|残りを|タスクを|タスク|作業を|作業|実装を|開発を|修正を|計画を|プランを|移行を|)${JA_UNTIL}${JA_DONE}$`,
    `(タスク|計画|プラン|実装|移行|リファクタ|リファクタリング)(を|)(全部|すべて|全て|)${JA_UNTIL}${JA_DONE}$`,
    `^${JA_UNTIL}(実行|処理)して$`,
    `(完了|完成)(する|)まで~${JA_MADE}(、|,)…30て$`,
    ...["^", "、", "を"].flatMap((before) => [
      `${before}(絶対に|途中で|必ず|)${JA_UNSTOPPED}~${JA_WORK}$`,
      `${before}(絶対に|途中で|必ず|)${JA_UNSTOPPED}~〜20を~${JA_WORK}$`,
    ]),
  ],
  weak: [
    "^(you |)(don't|do not|dont) (stop|quit|give up)(| working)$",
    ...["^", "and ", "then ", "but ", ", "].flatMap((before) => [
      ...untilDone(before),
      `${before}(you |)must (complete|finish) (it|this|everything|all|all of it|all of them|the task|the work|the whole task)$`,
    ]),
    `(don't|do not|never) (stop|give up) (until|till) all …20 (pass|passes|done|complete|green|finished|passing)$`,
    ...["^", "、"].map(
      (before) =>
        `${before}(終わるまで|完了まで|最後まで|完成するまで|全部終わるまで|完了するまで|)(絶対に|途中で|)(止まらないで|止まらずに|中断しないで|諦めないで|あきらめないで|手を止めないで)(|続けて|進めて|最後まで)$`,
    ),
    "^(完了|完成)(する|)まで(続けて|止まらないで|やめないで|)$",
  ],
  veto: [
    "完了まで(の|は|に|を|が|、何)",
    "(server|connection|process|container|service|job|timer|watcher|recording|music|animation|stream|loop that|daemon)",
    "(motto|slogan|banner|title|text|sentence|translate|translation|lyrics|song|quote|caption|headline|message|label|string|poem|story|playlist)",
    "(歌詞|歌|標語|スローガン|見出し|バナー|タイトル|文言|文章|英訳|翻訳|小説|記事|主人公)",
    "(about|how|why|button|spinner|progress bar|loading|storage|volume|state|session|cookie)",
    "(サーバー|サーバ|プロセス|アニメーション|接続|動画|音楽|タイマー|スピナー|ローディング|プログレスバー|時間)",
  ],
  unless: [
    ...JA_TOLD,
    ...OTHER_PRODUCTS,
    "(が|は)(止まら|終わら)",
    "(ダウンロード|アップロード|読み込み|処理|通信|転送|ロード|決済|送信)(が|の|)完了",
    "ように(し|修正|変更|直|実装)",
  ],
  isBesideWork: true,
} as const satisfies KeywordWords;
