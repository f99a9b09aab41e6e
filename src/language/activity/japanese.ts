/** Determines what a Japanese sentence asks for: the verb at its end first, its object, and mentions. */
import {
  BASIS,
  type Ending,
  endingOf,
  MENTIONS,
  neutral,
  objectBefore,
  REFRAINED,
  troubleIn,
} from "./japanese-words.ts";
import { command, FIX, LATER, mention, type Said, TROUBLE } from "./said.ts";

export function readJapanese(sentence: string): readonly Said[] {
  const spoken = sentence.toLowerCase().replace(/\s+/g, "");
  const based = spoken.replace(BASIS(), "件として");
  const text = neutral(based.replace(REFRAINED(), "件"));
  const commands = isOnlyAsked(text) ? [] : commandsIn(text);
  return [
    ...commands,
    ...(based === spoken ? [] : [mention("implement", FIX)]),
    ...mentionsIn(text, commands),
    ...(commands.length === 0 ? lookedFor(text) : []),
  ];
}

/** The last clause counts most; earlier clauses count less. */
function commandsIn(text: string): readonly Said[] {
  const parts = text.split(/[,:\u3001\uff0c\uff1a]/).flatMap((part) => withoutMarks(part) || []);
  return parts.flatMap((part, at) => {
    const ending = at === parts.length - 1 || isJoined(part) ? endingOf(part) : undefined;
    const said = ending && commandOf(ending, text);
    return said ? [at === parts.length - 1 ? said : { ...said, weight: Math.min(said.weight, LATER) }] : [];
  });
}

/** True if the clause ends in a connecting form. */
function isJoined(part: string): boolean {
  return ["て", "で", "てから", "し"].some((form) => part.endsWith(form));
}

function withoutMarks(part: string): string {
  return part.slice(-60).replace(/[!-/:-@[-`{-~\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\u2026]{1,60}$/, "");
}

function commandOf({ stem, before }: Ending, text: string): Said | undefined {
  switch (stem) {
    case "fix":
      return command("implement", FIX);
    case "investigate":
      return isTrouble(text) ? command("debug") : { ...command("research"), isOpen: !isHow(text) };
    case "inspect":
      return inspected(text);
    case "ask":
      return isAboutWork(text) ? command(troubleIn(text) ? "debug" : "research", FIX) : undefined;
    case "build":
      return command(objectBefore(before) ?? "implement");
    case "consider":
      return command(objectBefore(before) ?? "research", LATER);
    case "divide":
      return command(
        has(before, "ステップ 段階 タスク 工程 フェーズ 作業 チケット イシュー issue") ? "plan" : "implement",
      );
    case "made":
      return made(before, text);
    default:
      return command(stem);
  }
}

function made(before: string, text: string): Said | undefined {
  const object = objectBefore(before);
  if (object !== undefined) return command(object);
  const sooner = isJoined(before) ? endingOf(before) : undefined;
  if (sooner) return commandOf(sooner, text);
  return has(text, "どう どのように アプローチ") ? command("design", FIX) : undefined;
}

/** Investigating counts as debugging if there is trouble, unless the question is how something works. */
function isTrouble(text: string): boolean {
  return !isHow(text) && (troubleIn(text) || has(text, "問題 現象 なぜ"));
}

function isHow(text: string): boolean {
  return has(text, "どう どのように 仕組み 方法 種類 一覧");
}

function inspected(text: string): Said | undefined {
  if (troubleIn(text)) return command("debug", LATER);
  if (has(text, "どう どのように")) return command("research", LATER);
  return has(text, "コード pr プルリク 差分 変更 実装 diff コミット パッチ 関数 ブランチ 書いた")
    ? command("review")
    : undefined;
}

/** A question about the code is research; a question about the time is not. */
function isAboutWork(text: string): boolean {
  return (
    troubleIn(text) ||
    has(text, "仕組み 構造 流れ 違い 実装 設計 アーキテクチャ コード 処理 挙動 動作 比較 選択肢 どう")
  );
}

function has(text: string, words: string): boolean {
  return words.split(" ").some((word) => text.includes(word));
}

/** True for a question that asks for information instead of work. */
function isOnlyAsked(text: string): boolean {
  const end = text.slice(-14);
  if (!["?", "？", "か", "かな"].some((mark) => end.endsWith(mark))) return false;
  return !has(end, "くれ もらえ いただけ 頂け ください お願い ほしい 欲しい ませんか ましょうか て? て？");
}

function mentionsIn(text: string, commands: readonly Said[]): readonly Said[] {
  const isTalk = has(
    text.slice(0, 12),
    "ありがとう 助かりました おはよう こんにちは こんばんは お疲れ 了解 承知 いいね 完璧 すばらしい 素晴らしい",
  );
  if (isTalk || has(text.slice(-10), "とは とは何 って何 ってなに 意味は 意味を")) return [];
  const isQuestion = commands.length === 0 && isOnlyAsked(text);
  const nouns = MENTIONS.flatMap(([activity, words, weight]) =>
    !isQuestion && has(text, words) ? mention(activity, weight) : [],
  );
  const isBuilt = commands.some(({ activity, weight }) => activity === "implement" && weight > FIX);
  return [...nouns, ...(troubleIn(text) ? [mention("debug", isBuilt ? 1 : TROUBLE)] : [])];
}

/** Questions that need research: how something works, or which option is better. */
function lookedFor(text: string): readonly Said[] {
  const isAboutHow =
    has(text, "どう どのように どうやって") &&
    has(text, "動い 動く 実装され なって 作られ 処理され 管理され 構成され 使われ");
  const isWhich = isOnlyAsked(text) && has(text, "違い どちら どっち メリット デメリット");
  return isAboutHow || isWhich ? [mention("research", LATER)] : [];
}
