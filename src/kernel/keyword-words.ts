/** The vocabulary of the modes and of their end. An order is strong; what could be one is weak and easily vetoed. */

export interface KeywordWords {
  /** Without one of these in the prompt nothing of it is looked for. */
  readonly stems: string;
  /** In a prompt of one line: in a longer one a word alone on its line is an item of a list. */
  readonly alone?: readonly string[];
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  /** Anywhere in the prompt: then nothing weak is meant. */
  readonly veto: readonly string[];
  /** In the same sentence: then nothing at all is meant. */
  readonly unless?: readonly string[];
  /** What is weak counts beside another order to do some work only. */
  readonly isBesideWork?: boolean;
  /** Who wants to end everything says so in few words on one line. */
  readonly isShort?: boolean;
}

const VERBS =
  "make|create|implement|fix|add|write|refactor|develop|finish|complete|handle|migrate|convert|port|update|upgrade|" +
  "clean up|set up|ship|solve|resolve|improve|rewrite|generate|design|optimize|remove|replace|rename|investigate|do";
const WORK = `(${VERBS}|build|test|review|run|deploy)`;
const CLEAR_WORK = "(implement|create|write|refactor|develop)";
/** Behind a verb: without it the verb may be a noun, and something is told of it. */
const OBJECT = "(the|this|that|these|those|a|an|all|it|every|my|our|me|some|errors|tests|everything)";
const PILOTS = "autopilot|auto-pilot|auto pilot|ultrawork|ulw";
const PILOT_MODES = "turbo mode|turbo-mode|autopilot mode|auto-pilot mode|auto pilot mode|ultrawork mode|ulw mode";
const START =
  "(use|start|enable|activate|engage|run|run in|run on|do|switch to|switch on|turn on|enter|go|go into|work in|invoke|launch)";
const THIS = "(this|these|it|issue|this one|the rest|all of it|all of this|the task|the tasks|the plan|the issue)";

/** How a mode is ordered by its name in English; a product of that name is used for something else. */
function ordersFor(names: string): readonly string[] {
  return [
    `^(${names}): ${CLEAR_WORK}`,
    `^(${names}): ${WORK} ${OBJECT}`,
    `^(${names}) (this|it|these|everything|the rest|it all)$`,
    `^(${names}) (this|these) (task|tasks|issue|feature|bug|repo|project|ticket|page|refactor|migration|change|and)`,
    ...["$", ",", ` to ${WORK}`, ` and ${WORK}`, ` on ${THIS}`, ` for ${THIS}`].map(
      (end) => `^${START} (${names})${end}`,
    ),
    `(and|but|then|,) (please|now|can you|could you) ${START} (${names})`,
  ];
}

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

const JA_TURBO =
  "ターボ~モード|オートパイロット|オートパイロット~モード|ウルトラワーク|ウルトラワーク~モード|turbo~mode|autopilot|ultrawork";
const JA_PERSISTENT = "パーシステント~モード|永続~モード|継続~モード|ラルフ|ラルフ~モード|persistent~mode|ralph";
const JA_WORK =
  "(実装して|修正して|開発して|作って|直して|進めて|作成して|対応して|やって|書いて|仕上げて|完成させて|終わらせて|片付けて|" +
  "リファクタして|リファクタリングして|追加して|移行して|並列実行して|改善して)";

const JA_UNSTOPPED =
  "(止まらないで|止まらずに|止まらず|中断しないで|中断せずに|諦めないで|諦めずに|あきらめずに)(、|)~(最後まで|完了まで|全部|すべて|)";

/** Until it is made, or, of work without a name, until it is at its end. */
const JA_UNTIL = "(完了|完成)(する|)まで~(、|)";
const JA_MADE =
  "(実装して|修正して|開発して|作成して|対応して|移行して|完成させて|直して|作って|書いて|仕上げて|実装をして|修正をして)";
const JA_DONE = "(作業して|作業を続けて|続行して|継続して|進行して|進めて|続けて|やって|繰り返して|完成して|して)";

function japaneseOrdersFor(names: string): readonly string[] {
  return [
    `^(${names})~で$`,
    `^(${names})~(を|)~(開始|起動|発動|オンに|オン|有効化|有効に|実行|使用)して$`,
    `^(${names})~を~(開始|起動|有効に)して(、|,)…30${JA_WORK}$`,
    `^(${names})~(に|へ)~(して|切り替えて|入って|移行して)$`,
    `^(${names})~を~使って$`,
    `(${names})~(で|を使って)(|、|,)~${JA_WORK}$`,
    `(${names})~(で|を使って)(|、|,)~(この|その|上の|残りの|)~〜30を~${JA_WORK}$`,
    `(${names})~で(、|,)~…30${JA_WORK}$`,
  ];
}

/** It is told what happens in the mode, or a thing of that name is spoken of. */
const JA_TOLD = [
  "(モード|ターボ|パイロット|ワーク|ラルフ|mode|turbo|pilot|work|ralph)~(で|を使って)…20(すると|したら|すれば|ので|のに|時|とき|際|ように|動|走|飛|落ち|失敗|起き|発生|出る|する|した)",
  "(ゲーム|車|自動車|ドローン|エンジン|運転|飛行|クラスタ|gke|cpu|gpu|モーター|家電|掃除機|アニメ)",
];
const OTHER_PRODUCTS = [
  "(hi|hey|hello|dear|thanks|thank you|thx|bye|sorry|morning) ralph",
  "(that|which|who|when|while|runs|running|works|working|for|if) …30 (in|using) (turbo|autopilot|auto-pilot|auto pilot|ultrawork|ulw)",
  "(not|no|never|don't|do not|isn't|without|stop) …12(turbo|autopilot|auto-pilot|ultrawork|ulw|ralph|persistent)",
  "(drone|car|cars|tesla|vehicle|plane|aircraft|flight|boat|ship's|gke|cluster|kubernetes|cpu|gpu|bios|intel|boost|laptop|fan|engine)",
  "(monorepo|turborepo|hotwire|rails|stimulus|emulator|router|gpt|model|pascal|broker|queue|mqtt|rabbitmq|redis|volume|disk|storage)",
  "(bug|bugs|crash|crashes|issue|issues|problem|problems|error|errors|fails|failing|failure|broken|toggle|checkbox|setting|settings|regression) …30(in|using|with) (turbo|autopilot|auto-pilot|auto pilot|ultrawork|ulw|ralph|persistent)",
];

export const MODE_WORDS = {
  cancel: {
    stems:
      "cancel stopomc キャンセル 中断 中止 止め やめ 解除 終了 停止 オフ 無効 turbo persistent autopilot ultrawork ralph qa mode",
    strong: [
      "^(cancelomc|stopomc)",
      "^(cancel|end|exit|quit|leave|disable|deactivate|turn off|switch off|stop) (|the |all |all the )(turbo|persistent mode|autopilot|ultrawork|ralph|qa mode|web-qa)(| mode| modes)$",
      "^(cancel|end|exit|stop) (all |the |this |every |all the )(mode|modes)$",
      "^turn (turbo|persistent mode|autopilot|ultrawork|ralph|qa mode)(| mode) off$",
      "^(|全部|全て|すべて|全ての|すべての|今の|現在の|この)(モード|ターボ|ターボ~モード|永続~モード|qa~モード|継続~モード|オートパイロット|ウルトラワーク|ラルフ|persistent~モード|turbo~モード)~(を|は|)~(全部|すべて|全て|)(キャンセル|中断|中止|解除|終了|停止|オフに|無効に)(して|)$",
      "^(|全部|全て|すべて|今の|現在の)(モード|ターボ|ターボ~モード|永続~モード|qa~モード|継続~モード|オートパイロット|ウルトラワーク|ラルフ)~(を|は|)~(全部|すべて|)(止めて|やめて)$",
      "^(全部|全て|すべて|作業を|今の作業を|この作業を|)(キャンセル|中断|中止)して$",
    ],
    weak: [
      "^cancel(| it| this| that| everything| all| all of it| all of this)$",
      "^(全部|全て|すべて|)(キャンセル|中断|中止|止めて)(|で)$",
    ],
    veto: [
      "(キャンセル|中断|中止)~(は|が|の|を|に|も)",
      "(キャンセル|中断|中止)~(機能|処理|ロジック|ボタン|動作|パターン|方法|過程|手順|有無)",
      "(about|how|why|button|buttons|feature|function|token|order|orders|label|dialog|modal|menu|text|link|icon|handler|event)",
      "(subscription|request|requests|job|jobs|meeting|reservation|booking|payment|timer|subscriptions|workflow|build|upload|download|screen|page)",
      "(ボタン|画面|ラベル|文言|メニュー|ダイアログ|予約|注文|購読|課金|サーバー|サーバ|プロセス|タイマー|表示|翻訳|訳|英語|日本語)",
    ],
    isShort: true,
  },
  persistent: {
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
  },
  turbo: {
    stems:
      "turbo pilot ultrawork ulw ターボ パイロット ウルトラ 並列 同時 handle app application site website webapp cli game bot dashboard platform product prototype clone saas",
    alone: [`^(turbo|${PILOTS}|${PILOT_MODES})(| on)$`, `^(${JA_TURBO})$`],
    strong: [
      ...ordersFor(`${PILOTS}|${PILOT_MODES}`),
      `^(${PILOTS}|${PILOT_MODES}) ${WORK} ${OBJECT}`,
      "^turbo (this|it|everything|the rest)$",
      `^turbo (this|these) (task|tasks|issue|feature|bug|project|ticket|page|refactor|migration|change|and)`,
      `^turbo: ${CLEAR_WORK}`,
      `^turbo: ${WORK} ${OBJECT}`,
      `^turbo: …30${JA_WORK}$`,
      `^turbo (fix|implement|refactor|create|write|add|make|develop|finish) ${OBJECT}`,
      `^${WORK} …60 (in|using) (${PILOT_MODES}|ultrawork|ulw)$`,
      `^(${PILOTS}) (|and )(${PILOTS}|ralph|ultrathink|deep)`,
      `^ralph (|and )(${PILOTS})`,
      `^ralph …40 (and then|and) (autopilot|ultrawork|ulw) (the rest|this|it)`,
      ...japaneseOrdersFor(JA_TURBO),
      `^ターボで(|、)~${JA_WORK}$`,
      `^ターボで(|、)~(この|その|上の|残りの|)~〜30を~${JA_WORK}$`,
      `(を|、|は)ターボで~${JA_WORK}$`,
      "^(全部|全て|すべて|作業を|タスクを|残りを|)(並列で|同時に)~実行して$",
    ],
    weak: [
      ...["$", ",", " (for|that|which|with|like|where|using|to|and|so)"].map(
        (end) =>
          `^(build|create|make) me (a|an|another) …25(app|application|site|website|web app|webapp|cli|game|bot|dashboard|platform|product|prototype|clone|saas)${end}`,
      ),
      "and handle it all$",
      "^go turbo$",
      "^ターボ(|で|全開で)$",
    ],
    veto: [
      "ターボ~(は|が|の|を)",
      "ターボ~(モード|機能|設定)~(は|が|の|を|に)",
      "me …30 (in|on|from|into|of) (the|my|our|this)",
      "(about|how|why|button|feature|function|token|order|understand|aware|sure|happy|laugh|think|wonder|list|summary|table|diagram)",
    ],
    unless: [...JA_TOLD, ...OTHER_PRODUCTS, "(テスト|ジョブ|スレッド|クエリ|リクエスト|プロセス)を?(並列|同時)"],
  },
} as const satisfies Readonly<Record<string, KeywordWords>>;
