/** Vocabulary of persistent mode. */
import {
  JA_TOLD,
  JA_WORK,
  japaneseOrdersFor,
  type KeywordWords,
  OBJECT,
  OTHER_PRODUCTS,
  ordersFor,
  PILOTS,
  titledByMode,
  titledByWord,
  WORK,
} from "./orders.ts";

const STATES =
  "(done|finished|complete|completed|fixed|green|working|passing|in place|implemented|migrated|converted|ported|resolved|merged)";
const DONE = [
  "(done|finished|complete|completed|it works|it passes|everything works|everything passes|they all pass|they pass|" +
    "they all work|all tests pass|the tests pass|tests pass|all the tests pass|all of them pass)",
  "(it's|it is|this is|all is|all are|all of it is|all of them are|everything is|everything's|they are|they're|you are|you're) " +
    `(all |)${STATES}`,
];
const THEN = "(, then|; then|, and then|; and then| and then|, afterwards|; afterwards|, after that|; after that)";
const DONE_THEN = ["$", THEN].flatMap((end) => DONE.map((done) => `${done}${end}`));

const UNSTOPPED = "(stop|quit|give up)(| working)";
/** Also matches when the sentence says what comes afterwards. */
function untilDone(before: string): readonly string[] {
  return DONE_THEN.flatMap((done) => [
    `${before}(please |you |)(don't|do not|dont|never|not) ${UNSTOPPED} (until|till|before) ${done}`,
    `${before}without stopping (until|till|before) ${done}`,
    `${before}(keep|continue|go on) (going|working|at it|iterating) (until|till) ${done}`,
    `${before}(continue|work|iterate|proceed|go on)(| on it| on this| on them) (until|till) ${done}`,
  ]);
}

/** Two orders in one sentence: the first for work on existing things, the second to continue until done. */
const WORK_UNTIL_DONE = DONE_THEN.map(
  (done) =>
    "^(implement|refactor|rewrite|migrate|develop|port|convert|build|finish|fix|upgrade|clean up) " +
    `(the|this|that|these|those|all|every|my|our|everything) …80 and (don't|do not|dont) ${UNSTOPPED} (until|till|before) ${done}`,
);

/** Naming the things and their final state says clearly what to do. */
const THINGS =
  "(file|files|test|tests|error|errors|warning|warnings|todo|todos|issue|issues|task|tasks|module|modules|component|" +
  "components|page|pages|endpoint|endpoints)";
const WORKED_ON =
  "(fixed|migrated|converted|ported|implemented|refactored|updated|rewritten|replaced|resolved|translated|documented)";

/** The phrase may describe the program to be built: the bare verb continues the clause before it. */
const GOES_ON = "(and|then|but|,) (keep|continue|go on|not|never|iterate|proceed|work) …30(until|till)";
const MADE_TO =
  "(script|function|helper|tool|loop|hook|class|method|command|component|client|handler|test|bot|program|task|feature|" +
  "code|module|folder|folders|it|they|users|worker|poller|scraper|crawler)";
const RUNNING =
  "(loop|worker|workers|poller|polling|scraper|crawler|retry|retries|retrying|backoff|pagination|consumer|state machine)";
const TOLD_GOING_ON = [
  `${MADE_TO} (to|that|which|should|must|will|has to|have to|needs to) …80${GOES_ON}`,
  `${RUNNING} …80${GOES_ON}`,
  `(wants|wanted|asks|asked|tells|told) …30 to …80${GOES_ON}`,
  `^${WORK} …60: …80${GOES_ON}`,
  "^(add|write|update|change|edit|improve|create|rewrite|fix) …30(prompt|prompts|instruction|instructions|rule|rules|guide|guideline|guidelines|policy)",
];

const JA_PERSISTENT =
  "パーシステント~モード|永続~モード|継続~モード|持続~モード|ラルフ|ラルフ~モード|persistent~モード|persistent~mode|ralph";
const JA_UNSTOPPED =
  "(止まらないで|止まらずに|止まらず|中断しないで|中断せずに|諦めないで|諦めずに|あきらめずに)(、|)~(最後まで|完了まで|全部|すべて|)";
const JA_ALWAYS = "(絶対に|途中で|必ず|完了まで|完了するまで|終わるまで|全部終わるまで|最後まで|)";
const JA_UNTIL_GOOD =
  "(テスト|エラー|警告|バグ|ビルド|lint)が(全部|全て|すべて|)(通る|成功する|なくなる|無くなる|消える|ゼロになる)まで(、|)";

/** Until something is made, or for unnamed work, until it is finished. */
const JA_UNTIL = "(完了|完成)(する|)まで~(、|)";
const JA_MADE =
  "(実装して|修正して|開発して|作成して|対応して|移行して|完成させて|直して|作って|書いて|仕上げて|実装をして|修正をして)";
const JA_DONE =
  "(作業して|作業を続けて|実装を続けて|実装を進めて|開発を続けて|開発を進めて|修正を続けて|修正を繰り返して|" +
  "続行して|継続して|進行して|進めて|続けて|やって|繰り返して|完成して|して)";

const JA_BARE = "(実装|作業|修正|開発|進行|完成|処理|実行|繰り返し|継続|完了)";
/** Verbs of work, as they end an order: 実装, 実装して. */
const JA_STEMS = "(実装|修正|開発|作成|対応|移行|作業|処理|実行|継続|進行|完成|直して|作って|書いて|仕上げて)";

const UNTIL_DONE = "(until|till) (done|it's done|it is done|finished|it's finished|it is finished|complete|completion)";
const FINISHABLE =
  "(implement|refactor|rewrite|migrate|develop|port|convert|finish|fix|upgrade|work on|work through|continue|iterate on|complete)";
const WHAT = "(the|this|these|those|all|all the|my|our|every)";
/** Short prompts that say nothing else, so they are about the work at hand. */
const BARE_ALONE = [
  "^(don't|do not|dont) stop$",
  `^(don't|do not|dont) stop ${UNTIL_DONE}$`,
  `^(work|keep going|keep working|continue|go on|iterate|keep at it) ${UNTIL_DONE}$`,
  `^${UNTIL_DONE}$`,
  `^(don't|do not|dont) stop working on ${WHAT} 〜30$`,
  "^(don't|do not|dont) stop (until|till) (all|all the|all of the|the|every) …20(tests|test|checks|errors|warnings|tasks|todos) (is|are|pass|passes|have) …10(pass|passes|passing|passed|green|fixed|done|gone|)$",
  "^(you |)must (complete|finish)(| it| this| everything| all of it| the task| the work| this task| the whole task)$",
  ...DONE_THEN.flatMap((done) => [
    `^(don't|do not|dont) ${UNSTOPPED} (until|till) ${done}`,
    `^(keep going|keep working|continue working) (until|till) ${done}`,
  ]),
];
/** An order for work on existing things, with the order to go on in the same sentence. */
const BARE_BESIDE_WORK = [
  ...[",", ";", " and", ", and"].map((and) => `^${FINISHABLE} ${WHAT} …60${and} (don't|do not|dont) stop$`),
  `^${FINISHABLE} ${WHAT} 〜30 ${UNTIL_DONE}$`,
  `^(you |)must (complete|finish) ${WHAT} 〜30$`,
  `: must (complete|finish) ${WHAT} 〜30$`,
  `^(this|it) must (complete|finish): 〜30$`,
  `^${WHAT} 〜30 must (complete|finish), (don't|do not|dont) stop$`,
  `^(don't|do not|dont) stop, ${FINISHABLE} ${WHAT} 〜40$`,
];

export const PERSISTENT_WORDS = {
  stems:
    "ralph persistent ラルフ パーシステント 永続 継続 持続 完了 完成 止ま 中断 諦め あきらめ 手を止め stop quit give keep until till complete finish",
  alone: ["^(persistent|persistent mode|persistent-mode|ralph|ralph mode)(| on)$", `^(${JA_PERSISTENT})$`],
  only: [...BARE_ALONE, `^${JA_UNTIL}${JA_BARE}$`, "^(止まらないで|中断しないで|諦めないで|あきらめないで)$"],
  explicit: [
    ...titledByMode(`persistent mode|persistent-mode|ralph mode|${JA_PERSISTENT.replace("|ralph", "")}`),
    ...titledByWord("persistent|ralph"),
  ],
  strong: [
    ...ordersFor("persistent mode|persistent-mode|ralph|ralph mode"),
    `^(persistent mode|persistent-mode), ${WORK} ${OBJECT}`,
    `^ralph ${WORK} ${OBJECT}`,
    "^ralph (the|through) …30 until",
    `^ralph (|and )(${PILOTS})`,
    `^(${PILOTS}) (|and )ralph`,
    ...WORK_UNTIL_DONE,
    ...BARE_BESIDE_WORK,
    ...["$", ",", " (to|in|from|by|with|and)"].map(
      (end) => `^(don't|do not|dont) stop (until|till) (all|every) …20${THINGS} (is|are) ${WORKED_ON}${end}`,
    ),
    ...japaneseOrdersFor(JA_PERSISTENT),
    `^${JA_UNTIL}${JA_MADE}$`,
    `^${JA_UNTIL}〜20を~${JA_MADE}$`,
    `(を|は|に|で|、|て|全部|全て|すべて|必ず|タスク|作業|実装|修正|開発)${JA_UNTIL}${JA_MADE}$`,
    `^(これを|全部|全て|すべて|残りを|タスクを|タスク|作業を|作業|実装を|開発を|修正を|計画を|プランを|移行を|)${JA_UNTIL}${JA_DONE}$`,
    `(タスク|計画|プラン|実装|移行|リファクタ|リファクタリング)(を|)(全部|すべて|全て|)${JA_UNTIL}${JA_DONE}$`,
    `^${JA_UNTIL}(実行|処理)して$`,
    `〜30(を|は|の)~(全部|すべて|全て|)${JA_UNTIL}(実行|処理|継続|進行|作業)して$`,
    `^〜30を~(止まらないで|中断しないで|諦めないで|あきらめないで)~${JA_WORK}$`,
    `(完了|完成)(する|)まで~${JA_MADE}(、|,)…30て$`,
    ...["^", "、", "を", JA_UNTIL_GOOD].flatMap((before) => [
      `${before}${JA_ALWAYS}${JA_UNSTOPPED}~${JA_WORK}$`,
      `${before}${JA_ALWAYS}${JA_UNSTOPPED}~〜20を~${JA_WORK}$`,
      `${before}${JA_ALWAYS}${JA_UNSTOPPED}~(実装|修正|開発|作業|移行)を~(続けて|繰り返して)$`,
    ]),
  ],
  weak: [
    "^(you |)(don't|do not|dont) (stop|quit|give up)(| working)$",
    ...["^", "(and|then|but|,) "].flatMap((before) => [
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
  mention: [
    `^完了まで…15${JA_STEMS}(して|)$`,
    `(を|は|に|で|、|て|全部|全て|すべて|必ず)完了まで…15${JA_STEMS}(して|)$`,
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
    ...TOLD_GOING_ON,
    "(が|は)(止まら|終わら)",
    "(ダウンロード|アップロード|読み込み|処理|通信|転送|ロード|決済|送信)(が|の|)完了",
    "ように(し|修正|変更|直|実装)",
    "(完了|完成)まで…12(る|く|む|た|ない)(機能|処理|画面|コード|テスト|関数|ボタン|スクリプト|仕組み|ので|から|こと|とき|時)",
  ],
  isBesideWork: true,
} as const satisfies KeywordWords;
