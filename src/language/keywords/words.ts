/** Vocabulary of the modes and of cancel. A strong phrase is an order; a weak one might be and is easily vetoed. */
import {
  CLEAR_WORK,
  JA_TOLD,
  JA_WORK,
  japaneseOrdersFor,
  type KeywordWords,
  OBJECT,
  OTHER_PRODUCTS,
  ordersFor,
  PILOT_MODES,
  PILOTS,
  titledByMode,
  titledByWord,
  WORK,
} from "./orders.ts";
import { PERSISTENT_WORDS } from "./words-persistent.ts";

const JA_TURBO =
  "ターボ~モード|オートパイロット|オートパイロット~モード|ウルトラワーク|ウルトラワーク~モード|turbo~mode|autopilot|ultrawork";

/**
 * Verbs that create something: existing things that are fixed, run or tested `in turbo mode` may have such a mode
 * themselves.
 */
const MADE = "(implement|refactor|develop|build|migrate|convert|port|rewrite)";
const PRODUCTS =
  "app|application|site|website|web app|webapp|cli|game|bot|dashboard|platform|prototype|clone|saas|landing page|homepage|" +
  "rest api|web api|chrome extension|browser extension|tool|library|service|parser|compiler|shop|portal|tracker|editor|" +
  "calculator|chatbot";

export const MODE_WORDS = {
  cancel: {
    stems:
      "cancel stopomc キャンセル 中断 中止 止め やめ 解除 終了 停止 オフ 無効 turbo persistent autopilot ultrawork ralph qa mode",
    strong: [
      "^(cancelomc|stopomc)",
      "^(cancel|end|exit|quit|leave|disable|deactivate|turn off|switch off|stop|abort) (|the |all |all the )(turbo|persistent mode|autopilot|ultrawork|ralph|qa mode|qa cycle|web-qa)(| mode| modes)$",
      "^(cancel|end|exit|stop|abort) (all |the |this |every |all the |the current |the active |the running )(mode|modes)$",
      // The names under which modes are displayed.
      "^cancel (mode|modes|persistent|qa)$",
      "^turn (turbo|persistent mode|autopilot|ultrawork|ralph|qa mode)(| mode) off$",
      "^(|全部|全て|すべて|全ての|すべての|今の|現在の|この)(モード|ターボ|ターボ~モード|永続~モード|qa~モード|qa~サイクル|継続~モード|持続~モード|オートパイロット|ウルトラワーク|ラルフ|persistent~モード|turbo~モード)~(を|は|)~(全部|すべて|全て|)(キャンセル|中断|中止|解除|終了|停止|オフに|無効に)(して|)$",
      "^(|全部|全て|すべて|今の|現在の)(モード|ターボ|ターボ~モード|永続~モード|qa~モード|qa~サイクル|継続~モード|持続~モード|オートパイロット|ウルトラワーク|ラルフ)~(を|は|)~(全部|すべて|)(止めて|やめて)$",
      "^(今の|現在の|この|全ての|すべての|)(作業|タスク|実行|処理|実装|計画)を~(全部|すべて|)(キャンセル|中断|中止)して$",
      "^(今の|現在の|この|全ての|すべての|)(作業|タスク|実行|処理|実装|計画)を~(全部|すべて|)(止めて|やめて|停止して)$",
      "^cancel (the|this|the current|the running|the whole|all|all the) (task|tasks|work|plan|run)$",
    ],
    weak: [
      "^(stop, |stop and |)cancel(| it| this| that| everything| all| all of it| all of this)$",
      "^(全部|全て|すべて|)(キャンセル|中断|中止)して$",
      "^(やめて、|止めて、|)(全部|全て|すべて|)(キャンセル|中断|中止|止めて)(|で)$",
    ],
    veto: [
      "(キャンセル|中断|中止)~(は|が|の|を|に|も)",
      "(キャンセル|中断|中止)~(機能|処理|ロジック|ボタン|動作|パターン|方法|過程|手順|有無)",
      "(about|how|why|button|buttons|feature|function|token|order|orders|label|dialog|modal|menu|text|link|icon|handler|event)",
      "(subscription|request|requests|job|jobs|meeting|reservation|booking|payment|timer|subscriptions|workflow|build|upload|download|screen|page)",
      // The thing just mentioned is to be cancelled, not the mode.
      "が…20(る|い|た|ます|です)…5(キャンセル|中断|中止|止めて)",
      "(the|there|she|he|they|our|we have|pick|choose|select|options) …60cancel",
      "(customer|customers|client|clients|mail|email|appointment|flight|hotel|ticket|contract|membership|invoice|trial|deployment|release)",
      "(お客|顧客|客先|クライアント|ユーザー|利用者|メール|連絡|電話|会議|打ち合わせ|契約|定期|便|ホテル|デプロイ|リリース)",
      "(ボタン|画面|ラベル|文言|メニュー|ダイアログ|予約|注文|購読|課金|サーバー|サーバ|プロセス|タイマー|表示|翻訳|訳|英語|日本語)",
    ],
    isShort: true,
  },
  persistent: PERSISTENT_WORDS,
  turbo: {
    stems:
      "turbo pilot ultrawork ulw ターボ パイロット ウルトラ 並列 同時 handle app application site website webapp cli game bot dashboard platform product prototype clone saas homepage landing api extension tool library service parser compiler shop portal tracker editor calculator",
    explicit: [
      ...titledByMode(`ultrawork|ulw|${PILOT_MODES}|ターボ~モード|ウルトラワーク|ターボ`),
      ...titledByWord("turbo|autopilot|auto-pilot|auto pilot|オートパイロット"),
    ],
    alone: [`^(turbo|${PILOTS}|${PILOT_MODES})(| on)$`, `^(${JA_TURBO})$`],
    only: [
      "^(全部|全て|すべて|)(並列で|同時に)~実行$",
      "^(全|全ての|すべての|残りの|この|これらの|)~(タスク|作業)を~(並列で|同時に)~実行(して|)$",
      "^handle it all$",
    ],
    strong: [
      ...ordersFor(`${PILOTS}|${PILOT_MODES}`),
      `^(${PILOTS}|${PILOT_MODES}) ${WORK} ${OBJECT}`,
      "^turbo (this|it|everything|the rest)$",
      `^turbo (this|these) (task|tasks|issue|feature|bug|project|ticket|page|refactor|migration|change|and)`,
      `^turbo: ${CLEAR_WORK}`,
      `^turbo: ${WORK} ${OBJECT}`,
      `^turbo: …30${JA_WORK}$`,
      `^turbo (fix|implement|refactor|create|write|add|make|develop|finish) ${OBJECT}`,
      `^${MADE} …60 (in|using) (${PILOT_MODES})$`,
      `^${WORK} …60 using (${PILOT_MODES})$`,
      `^${WORK} …60 (in|using) (ultrawork|ulw|ultrawork mode|ulw mode)$`,
      `^(${PILOT_MODES}), ${WORK} ${OBJECT}`,
      `^(use|start|do|run|go) (ultrawork|ulw) on ${OBJECT}`,
      "^go turbo (on|with|for) (this|these|it|the rest|all of it|all of this|the task|the tasks|the plan|the issue)$",
      `^(${PILOTS}) (|and )(${PILOTS}|ralph|ultrathink|deep)`,
      `^ralph (|and )(${PILOTS})`,
      `^ralph …40 (and then|and) (autopilot|ultrawork|ulw) (the rest|this|it)`,
      ...japaneseOrdersFor(JA_TURBO),
      `^ターボ(で|で、|、)~${JA_WORK}$`,
      `^ターボで(|、)~(この|その|上の|残りの|)~〜30を~${JA_WORK}$`,
      `(を|、|は)ターボで~${JA_WORK}$`,
      "^(全部|全て|すべて|作業を|タスクを|残りを|)(並列で|同時に)~実行して$",
      "^(この|これらの|残りの|上の|上記の|全ての|すべての)~(2つの|3つの|4つの|5つの|二つの|三つの|)(タスク|作業)を~(全部|全て|すべて|)(並列で|同時に)~実行して$",
    ],
    weak: [
      ...["$", ",", " (for|that|which|with|like|where|using|to|and|so)"].map(
        (end) => `^(build|create|make) me (a|an|another) 〜25(${PRODUCTS})${end}`,
      ),
      "^(build|create|make) me (a|an|another) 〜25product (that|which|where)",
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
    unless: [...JA_TOLD, ...OTHER_PRODUCTS, "(テスト|ジョブ|スレッド|クエリ|リクエスト|プロセス)(を|)(並列|同時)"],
  },
} as const satisfies Readonly<Record<string, KeywordWords>>;
