/** Phrases that order a mode by name, and phrases in which the name is only mentioned. */

export interface KeywordWords {
  /** A prompt without any of these stems is skipped for this keyword. */
  readonly stems: string;
  /** Counts in a one-line prompt only; in a longer one a lone word on a line is a list item. */
  readonly alone?: readonly string[];
  /** Counts only if the prompt says nothing else. */
  readonly only?: readonly string[];
  /** The mode as a title at the beginning of the prompt. No word in the rest silences it; a question does. */
  readonly explicit?: readonly string[];
  /** Weak phrases that need no other work beside them. */
  readonly mention?: readonly string[];
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  /** Anywhere in the prompt, these veto weak phrases. */
  readonly veto: readonly string[];
  /** In the same sentence, these veto everything. */
  readonly unless?: readonly string[];
  /** Weak phrases count only beside another order to do work. */
  readonly isBesideWork?: boolean;
  /** Counts only in a short one-line prompt, because that is how people cancel. */
  readonly isShort?: boolean;
}

const VERBS =
  "make|create|implement|fix|add|write|refactor|develop|finish|complete|handle|migrate|convert|port|update|upgrade|" +
  "clean up|set up|ship|solve|resolve|improve|rewrite|generate|design|optimize|remove|replace|rename|investigate|do|" +
  "tidy|tidy up|simplify|split|extract|document|polish|translate|speed up|move|merge|format|wire up|integrate";
export const WORK = `(${VERBS}|build|test|review|run|deploy)`;
export const CLEAR_WORK = "(implement|create|write|refactor|develop|rename|rewrite|simplify|tidy up|clean up|migrate)";
/** Must follow a verb; otherwise the verb may be a noun that is only described. */
export const OBJECT = "(the|this|that|these|those|a|an|all|it|every|my|our|me|some|errors|tests|everything)";
export const PILOTS = "autopilot|auto-pilot|auto pilot|ultrawork|ulw";
export const PILOT_MODES =
  "turbo mode|turbo-mode|autopilot mode|auto-pilot mode|auto pilot mode|ultrawork mode|ulw mode";
const START =
  "(use|start|enable|activate|engage|run|run in|run on|do|switch to|switch on|turn on|enter|go|go into|work in|invoke|launch)";
const THIS = "(this|these|it|issue|this one|the rest|all of it|all of this)";
const TASKS =
  "(task|tasks|plan|issue|issues|ticket|tickets|todo|todos|backlog|spec|refactoring|migration|cleanup|work)";
/** Must follow a noun; otherwise the noun is part of another one or only described. */
const NAMED = ["$", ",", " (and|until|from|in|of|to)"];
const REMAINING = "remaining |open |failing |outstanding |rest of the |other |whole |entire ";
const WHAT_IS_THERE = `(task|tasks|issue|feature|bug|repo|project|ticket|page|refactor|refactoring|migration|change|cleanup|plan|spec|module|file|code|codebase|and)`;

const IN_MODE =
  "(do|run|finish|complete|continue|fix|implement|handle|work on|work through|go through|build|refactor|solve|resolve)";

/** English phrases that order a mode by its name, as opposed to using a product of that name. */
export function ordersFor(names: string): readonly string[] {
  return [
    `^(${names}): ${CLEAR_WORK}`,
    `^(${names}): ${WORK} ${OBJECT}`,
    `^(${names}) (this|it|these|everything|the rest|it all)$`,
    `^(${names}) (this|these) ${WHAT_IS_THERE}`,
    `^(${names}) please(|,|:) ${WORK} ${OBJECT}`,
    `^put (this|it|these|everything|the rest|all of it|all of this) (on|in|into) (${names})$`,
    `^${IN_MODE} ${THIS}(| task| tasks| issue| one) (in|using) (${names})$`,
    `^${IN_MODE} (the|all|all the|my|our) (|${REMAINING})${TASKS} (in|using) (${names})$`,
    `^(work through|go through) (the|this|my|our) (list|todo list|checklist) (in|using) (${names})$`,
    ...["$", ",", ` to ${WORK}`, ` and ${WORK}`, ` on ${THIS}`, ` for ${THIS}`].map(
      (end) => `^${START} (${names})${end}`,
    ),
    ...NAMED.flatMap((end) => [
      `^(${names}) (the|all|all the|my|our) (${REMAINING})${TASKS}${end}`,
      `^${START} (${names}) (on|for) (the|all|all the|my|our) (|${REMAINING})${TASKS}${end}`,
    ]),
    `(and|but|then|,) (please|now|can you|could you) ${START} (${names})`,
  ];
}

/** More verbs that begin a piece of work; those in `WORK` are also nouns and need their object. */
const MORE_WORK =
  "(bump|repair|check|verify|ensure|debug|analyze|change|modify|adjust|rework|redesign|restructure|reorganize|apply|" +
  "introduce|support|prepare|configure|install|connect|expose|delete|drop|clean|secure|harden|validate|render|finalize|" +
  "continue|work on|work through|go through|take care of|get|keep|reduce|increase|extend|enable|disable|use|fix|implement|" +
  "refactor|create|write|add|update|improve|migrate|upgrade|rewrite|rename|remove|replace|simplify|tidy|finish|complete)";
const ALL_OF_IT = "(everything|all of|all the|the whole|the rest|the remaining|the entire)";

/** `turbo mode: the settings page`: before anything that is no question and no value of a setting. */
export function titledByMode(names: string): readonly string[] {
  return [`^(${names}):`, `^(${names}) -`, `^(${names}) \u2014`];
}

/** `turbo: fix the engine`: the word alone is also a program or a person, so an order must follow. */
export function titledByWord(names: string): readonly string[] {
  return [
    `^(${names}): ${MORE_WORK}`,
    `^(${names}): ${WORK} ${OBJECT}`,
    `^(${names}): ${ALL_OF_IT}`,
    `^(${names}):…60${JA_WORK}$`,
  ];
}

export const JA_WORK =
  "(実装して|修正して|開発して|作って|直して|進めて|作成して|対応して|やって|書いて|仕上げて|完成させて|終わらせて|片付けて|" +
  "リファクタして|リファクタリングして|追加して|移行して|並列実行して|改善して)";

export function japaneseOrdersFor(names: string): readonly string[] {
  return [
    `^(${names})~で$`,
    `^(${names})~(を|)~開始$`,
    `^(${names})~(を|)~(開始|起動|発動|オンに|オン|有効化|有効に|実行|使用)して$`,
    `^(${names})~を~(開始|起動|有効に)して(、|,)…30${JA_WORK}$`,
    `^(${names})~(に|へ)~(して|切り替えて|入って|移行して)$`,
    `(${names})~(で|を使って)(|、|,)~${JA_WORK}$`,
    `(${names})~(で|を使って)(|、|,)~(この|その|上の|残りの|)~〜30を~${JA_WORK}$`,
    `(${names})~で(、|,)~…30${JA_WORK}$`,
  ];
}

/** Phrases that describe what happens in the mode, or another thing of that name. */
export const JA_TOLD = [
  "(モード|ターボ|パイロット|ワーク|ラルフ|mode|turbo|pilot|work|ralph)~(で|を使って)…20(すると|したら|すれば|ので|のに|時|とき|際|ように|動|走|飛|落ち|失敗|起き|発生|出る|する|した)",
  "(モード|パイロット|ワーク|mode)~で(も|は|の)",
  "(ゲーム|車|自動車|ドローン|エンジン|運転|飛行|クラスタ|gke|cpu|gpu|モーター|家電|掃除機|アニメ)",
];
export const OTHER_PRODUCTS = [
  "(hi|hey|hello|dear|thanks|thank you|thx|bye|sorry|morning) ralph",
  "(that|which|who|when|while|runs|running|works|working|for|if) …30 (in|using) (turbo|autopilot|auto-pilot|auto pilot|ultrawork|ulw)",
  "(not|no|never|don't|do not|isn't|without|stop) …12(turbo|autopilot|auto-pilot|ultrawork|ulw|ralph|persistent)",
  "(drone|car|cars|tesla|vehicle|plane|aircraft|flight|boat|ship's|waypoint|waypoints|altitude|takeoff|cockpit|gps|simulator|simulation|firmware|gke|cluster|kubernetes|cpu|gpu|bios|intel|boost|laptop|fan|engine)",
  "(monorepo|turborepo|hotwire|rails|stimulus|emulator|router|gpt|model|pascal|broker|queue|mqtt|rabbitmq|redis|volume|disk|storage)",
  "(bug|bugs|crash|crashes|issue|issues|problem|problems|error|errors|fails|failing|failure|broken|toggle|checkbox|setting|settings|regression) …30(in|using|with) (turbo|autopilot|auto-pilot|auto pilot|ultrawork|ulw|ralph|persistent)",
];
