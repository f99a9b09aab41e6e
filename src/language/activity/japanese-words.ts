/** Japanese vocabulary of the activities. */
import type { Kind } from "./said.ts";

/** `made`: the text before it determines the activity. */
export type Stem = Kind | "fix" | "investigate" | "inspect" | "ask" | "made" | "build" | "consider" | "divide";

/** Verb stems at the end of a request, before its endings. The first match counts, so longer stems come first. */
const STEM_LINES: readonly (readonly [Stem, string])[] = [
  [
    "implement",
    "実装 追加 開発 構築 組み込み 組み込 作り込 リファクタリング リファクタ 書き換え 置き換え 書き直 変更 変え",
  ],
  [
    "implement",
    "改善 対応 削除 消し 取り除 移行 導入 適用 反映 更新 移動 移し リネーム 改名 コーディング コード化 統合",
  ],
  [
    "implement",
    "共通化 分離 抽出 最適化 高速化 増やし 減らし 翻訳 生成 セットアップ アップグレード 実現 繋ぎ込 つなぎ込",
  ],
  [
    "implement",
    "有効化 無効化 有効に 無効に ように 完成させ 仕上げ 上げ 下げ 繋い つない 付け つけ implement build add refactor",
  ],
  ["fix", "修正 直し 治し 修復 解消 解決 にし fix"],
  ["debug", "デバッグ 原因究明 原因調査 原因特定 原因を特定 切り分け 再現 トラブルシュート debug"],
  ["investigate", "調査 調べ上げ 調べ 分析 確かめ 突き止め 特定 追いかけ 追っ investigate"],
  [
    "research",
    "比較検討 比較 比べ 探し 探索 探 リサーチ 把握 理解 読み解 読み込 読ん サーベイ 見つけ 検索 評価 research compare",
  ],
  ["design", "設計 デザイン モデリング design"],
  [
    "plan",
    "計画 分解 プランニング プラン 見積もり 見積もっ 見積 ステップ分け タスク分け タスク化 段取り 策定 立案 優先順位付け plan",
  ],
  ["review", "コードレビュー レビュー 見直し 見直 添削 監査 査読 点検 指摘 フィードバック 講評 review"],
  [
    "compound",
    "振り返り 振り返っ 振り返 ふりかえり ふりかえっ ふりかえ 反省 総括 レトロスペクティブ レトロ 締めくくり 締めくくっ 締めくく 締め",
  ],
  ["inspect", "見てみて 見て 確認 チェック 目を通し"],
  ["ask", "教え 説明 解説 知り 聞かせ 要約"],
  ["build", "作っ 作り 作成 書い 書き 起こし 用意 ドラフト"],
  ["consider", "検討"],
  ["divide", "分割 分け"],
  ["made", "書き出し まとめ 考え 提案 決め 定義 整理 練っ 描い 洗い出し 洗い出 出し 記録 残し メモし"],
];

/**
 * Polite and auxiliary endings, and verbs without a meaning of their own. No past tense, because a past action is not a
 * request.
 */
const ENDINGS =
  "よろしくお願いします よろしくお願いいたします お願いいたします お願いします おねがいします お願いできますか お願い よろしく " +
  "くださいませ ください 下さい ほしいです 欲しいです ほしいのですが ほしい 欲しい くれますか くれませんか くれる くれない くれ " +
  "もらえますか もらえませんか もらえる もらえない もらえると助かります もらいたい いただけますか いただけませんか いただきたい " +
  "頂けますか いただけると助かります いただけると嬉しい ちょうだい 頼みます 頼む みましょう みよう みたい みて おいて いこう いきましょう " +
  "しましょうか しましょう ましょう しよう したいです したいのですが したいんだけど したいと思います したい たいです たい べき " +
  "すること こと すべき する して し せよ しろ やって やろう 行って 行おう 実施 進めて 進め 始めて 始めよう 始め 開始 着手 " +
  "立てて 立てよう 立て 取り掛かって 入って かけて 手伝って 再開 続けて 続け させて 変えて て で い から を に へ と も だけ は です ね よ な か の ん";

let stems: readonly (readonly [string, Stem])[] | undefined;
let endings: readonly string[] | undefined;

export interface Ending {
  readonly stem: Stem;
  /** The text before the stem. */
  readonly before: string;
}

/** The maximum number of endings after the verb. */
const ROUNDS_MAX = 12;

/** Finds the verb or noun at the end of a clause by stripping its endings. */
export function endingOf(part: string): Ending | undefined {
  stems ??= STEM_LINES.flatMap(([stem, line]) => line.split(" ").map((word) => [word, stem] as const)).sort(
    ([one], [other]) => other.length - one.length,
  );
  endings ??= ENDINGS.split(" ").sort((one, other) => other.length - one.length);
  let rest = part;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = stemAt(rest, stems);
    if (found) return found;
    const ending = endings.find((word) => rest.endsWith(word));
    if (ending === undefined) return undefined;
    rest = rest.slice(0, -ending.length);
    // The letter may belong to the verb: both "naosu" and "suru" continue with it.
    const own = ending.startsWith("し") ? stemAt(`${rest}し`, stems) : undefined;
    if (own) return own;
  }
  return undefined;
}

function stemAt(text: string, all: readonly (readonly [string, Stem])[]): Ending | undefined {
  const found = all.find(([word]) => text.endsWith(word));
  return found && { stem: found[1], before: text.slice(0, -found[0].length) };
}

const OBJECTS: readonly (readonly [Kind, string])[] = [
  [
    "design",
    "設計書 設計案 設計 設計ドキュメント アーキテクチャ 構成 構成案 仕様書 仕様 要件 要件定義 データモデル スキーマ デザインドック adr designdoc",
  ],
  [
    "plan",
    "計画 計画書 計画案 プラン ロードマップ 手順 ステップ タスク タスクリスト タスク一覧 段取り 戦略 方針 スケジュール 工程 todo",
  ],
  ["review", "レビュー フィードバック 指摘 講評"],
  ["research", "比較表 比較 調査結果 調査レポート 調査報告 選択肢"],
  ["compound", "学び 知見 教訓 振り返り ふりかえり 学んだこと 学んだ内容 得られた知見"],
  ["debug", "原因"],
];

/** The activity of the object that stands right before the verb. */
export function objectBefore(before: string): Kind | undefined {
  const object = before.replace(new RegExp(AFTER_OBJECT), "");
  return OBJECTS.find(([, line]) => line.split(" ").some((word) => object.endsWith(word)))?.[0];
}

const AFTER_OBJECT = "(?:として|について|をいくつか|を[^を]{0,24}に|を)$";

/** Compounds in which the word has another meaning. */
const NEUTRAL_WORDS =
  "エラーハンドリング エラー処理 エラーメッセージ エラー表示 エラー画面 エラーページ エラーログ エラーコード 例外処理 例外クラス 失敗時 構成ファイル " +
  "料金プラン 有料プラン 無料プラン プラン画面 レビュー機能 レビュー画面 レビュー欄 商品レビュー レビューコメント レビュー指摘 設計パターン デザインパターン " +
  "デザインシステム 落ち着 段階的に 機械学習 デバッグモード デバッグログ";

export function neutral(text: string): string {
  return NEUTRAL_WORDS.split(" ").reduce((rest, word) => rest.replaceAll(word, "件"), text);
}

const TROUBLE_WORDS =
  "バグ エラー 動かな 動きませ 動作しな 動作しませ 壊れ 落ちる 落ちます 落ちた 落ちて 落ちました 失敗 おかしい おかしく 不具合 障害 原因 例外 クラッシュ " +
  "固ま フリーズ 異常 効かな 効きませ うまくいかな うまく動 反応しな 反応しませ 表示されな 表示されませ 起動しな 起動しませ 起動でき できなくなっ " +
  "止まって 止まる 遅くなっ 無限ループ リークし デグレ タイムアウトす タイムアウトし 文字化け 通らな 通りませ コケ 変な挙動 想定と違 再現 error bug";

export function troubleIn(text: string): boolean {
  return TROUBLE_WORDS.split(" ").some((word) => text.includes(word));
}

/** Actions that the prompt excludes or postpones. */
export const REFRAINED = (): RegExp =>
  new RegExp(
    "(?:実装|修正|変更|追加|設計|計画|レビュー|調査|デバッグ|コーディング|編集)(?:は|を|も|に入る|に取り掛かる)?(?:まだ)?" +
      "(?:し?ないで|し?なくて|せず|する?前に|の前に|しないように|不要|いらない|やめて|する必要はな)",
    "g",
  );

/** A design that is the basis for the work, not its result. */
export const BASIS = (): RegExp =>
  new RegExp(
    "(?:設計|設計書|設計ドキュメント|デザインドック|design ?doc|仕様|仕様書|計画|計画書|プラン|adr)(?:の内容)?" +
      "(?:に基づ(?:いて|き)|にもとづいて|に従って|に沿って|に則って|をもとに|を元に|を基に|をベースに|を参考に|を見ながら|の?通りに?|の?とおりに?|どおりに?)",
    "g",
  );

export const MENTIONS: readonly (readonly [Kind, string, number])[] = [
  ["design", "設計書 アーキテクチャ 要件定義 データモデル 仕様書", 2],
  ["design", "設計 構成 仕様 要件", 1],
  ["plan", "ロードマップ 実装計画 移行計画 戦略", 2],
  ["plan", "計画 ステップ 段階 手順", 1],
  ["review", "コードレビュー", 2],
  ["review", "レビュー", 1],
  ["research", "選択肢 比較検討", 2],
  ["research", "調査 比較 リサーチ", 1],
  ["compound", "振り返り 学び 知見 教訓 ふりかえり", 2],
  ["implement", "実装 コード 機能", 1],
];
