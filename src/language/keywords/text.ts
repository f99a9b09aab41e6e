/**
 * Extracts the text of a prompt that can be an order to us: without quotations, code, names, pasted text and asides.
 */
import { lowered } from "../../state/settings/vocabulary.ts";
import { isName, isPasted, partsOf, withoutBlocks } from "../prose.ts";
import { withoutPoliteStart } from "./phrase-pattern.ts";

export interface Sentence {
  /** The sentence from where the request starts, with placeholders for removed text. */
  readonly said: string;
  /** The same with the removed text restored. */
  readonly original: string;
  /** A list item describes work but is not an order to us. */
  readonly isItem: boolean;
}

export interface ReadPrompt {
  readonly original: string;
  readonly sentences: readonly Sentence[];
}

/** In a longer prompt, orders are at the beginning and the end; in between are tasks, texts and lists. */
const WHOLE_CHARS_MAX = 400;
/** The maximum length of a person's own line below pasted text. */
const LAST_WORD_CHARS_MAX = 120;

export function readPrompt(prompt: string): ReadPrompt {
  const texts = partsOf(prompt).map((lines) => cleaned(lines));
  const isCut = texts.length > 1;
  const isLong = isCut || prompt.length > WHOLE_CHARS_MAX;
  const sentences = texts.flatMap(({ text, restored }, part) => {
    const paragraphs = withoutIntroduced(paragraphsOf(text));
    const heard = isLong ? ends(paragraphs, isCut ? part : undefined) : paragraphs;
    return heard.flat().flatMap((line) => sentencesIn(line, restored));
  });
  return { original: texts.map(({ original }) => original).join("\n"), sentences };
}

function ends(paragraphs: readonly Paragraph[], part: number | undefined): readonly Paragraph[] {
  if (part === 0) return paragraphs.slice(0, 1);
  // The paragraph where the prompt was cut is incomplete.
  if (part === 1) return paragraphs.slice(1).slice(-1);
  return paragraphs.length > 1 ? [...paragraphs.slice(0, 1), ...paragraphs.slice(-1)] : paragraphs;
}

type Paragraph = readonly string[];

function paragraphsOf(text: string): readonly Paragraph[] {
  return text.split(/\n[ \t]*\n\s*/).map((paragraph) => paragraph.split("\n").filter((line) => line.trim() !== ""));
}

/** The text after an introducing line is quoted; below it only a short last line can be an order. */
function withoutIntroduced(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  const at = paragraphs.findIndex((lines) => lines.some(introduces));
  const lines = paragraphs[at];
  if (lines === undefined) return paragraphs;
  const last =
    paragraphs.length - 2 > at && !paragraphs.some((one) => one.some(isQuoted)) ? paragraphs.at(-1) : undefined;
  const isLastWord = last?.length === 1 && (last[0]?.length ?? 0) <= LAST_WORD_CHARS_MAX;
  return [...paragraphs.slice(0, at), lines.slice(0, lines.findIndex(introduces) + 1), ...(isLastWord ? [last] : [])];
}

/** In a mail or chat the last line is quoted too. */
function isQuoted(line: string): boolean {
  return /^[\ue000-\uf8ff]:$/.test(line);
}

function introduces(line: string): boolean {
  introducing ??= new RegExp(INTRODUCING);
  return introducing.test(lowered(line.slice(0, 2000)));
}

let introducing: RegExp | undefined;
const INTRODUCING =
  "[:>]\\s*$|\\b(?:below|following|pasted?|as follows|translate|proofread|rephrase|reword|wording|summari[sz]e|draft|prompt)\\b|" +
  "\\bthis (?:\\w+ )?(?:description|text|e?mail|message|comment|report|log|post|document|thread|ticket|paragraph|article)\\b|" +
  "以下|下記|次の(?:よう|通り|とおり|文|ログ|メール)|貼り付け|貼る|英訳|和訳|翻訳|校正|添削|推敲|要約|文章|プロンプト|" +
  "この(?:文|メール|ログ|コメント|チケット|説明|報告)";

function sentencesIn(line: string, restored: (text: string) => string): readonly Sentence[] {
  const isItem = ITEM.test(restored(line));
  return line
    .split(/(?:[.]|\u2026)(?=\s|$)|[!\u3002]|(?<=\?)/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => /[^\ue000-\uf8ff\s]/.test(sentence))
    .map((sentence) => ({
      said: withoutPoliteStart(lowered(sentence)).replace(ASKED_NOUN, "$1して"),
      original: lowered(restored(sentence)),
      isItem,
    }));
}

/** `実装をお願いします` means `実装してください`. */
const ASKED_NOUN =
  /(実装|修正|開発|対応|移行|調査|リサーチ|作成|更新|生成|検査|スキャン|分析|説明|比較|検証|追加|チェック|確認)を?(?=お願い|おねがい)/;

interface Cleaned {
  readonly original: string;
  readonly text: string;
  readonly restored: (text: string) => string;
}

/** Private-use characters as placeholders, one per removed text. */
const [FIRST_SIGN, LAST_SIGN] = [0xe000, 0xf8ff];

function cleaned(lines: readonly string[]): Cleaned {
  const taken: string[] = [];
  const hide = (found: string): string => {
    const sign = Math.min(FIRST_SIGN + taken.length, LAST_SIGN);
    taken.push(found);
    return String.fromCharCode(sign);
  };
  const restored = (text: string): string =>
    text.replace(/[\ue000-\uf8ff]/g, (sign) => {
      const found = taken[sign.charCodeAt(0) - FIRST_SIGN] ?? "";
      return /[\ue000-\uf8ff]/.test(found) ? restored(found) : found;
    });
  const usual = lines.map((line) => straight(line));
  const text = STEPS.reduce((rest, step) => step(rest, hide), withoutBlocks(usual).join("\n"));
  return { original: lowered(usual.join("\n")), text, restored };
}

function straight(line: string): string {
  return line
    .normalize("NFKC")
    .replace(/[\ue000-\uf8ff\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/[\u2018\u2019\u02bc]/g, "'");
}

type Hide = (found: string) => string;
type Step = (text: string, hide: Hide) => string;

/** Ordered by nesting; fenced code is removed before. */
const STEPS: readonly Step[] = [
  (text, hide) => text.replace(/```[\s\S]{0,4000}?```/g, hide).replace(/`[^`]{0,2000}`/g, hide),
  (text, hide) => withoutMarkup(text, hide),
  (text, hide) =>
    text
      .split("\n")
      .filter((line) => !isPasted(line) && !isDrawn(line))
      .map((line) => (isSpoken(line) ? `${hide(line)}:` : line.replace(ITEM, hide)))
      .join("\n"),
  (text, hide) => twice(text, /\([^()]{0,1000}\)/g, hide).replace(/\u300c[^\u300d]{0,1000}(?:\u300d|$)/g, hide),
  (text, hide) =>
    text.replace(/[\u300e\u3010\u300a\u3008][^\u300f\u3011\u300b\u3009]{0,1000}[\u300f\u3011\u300b\u3009]/g, hide),
  (text, hide) => twice(text, /\[[^[\]]{0,1000}\]/g, hide),
  (text, hide) => text.replace(/\*\*[^*]{1,500}\*\*|__[^_]{1,500}__|~~[^~]{1,500}~~/g, hide),
  (text, hide) => text.replace(/(?<![\w*])\*[^*\s][^*\n]{0,300}\*(?!\w)|(?<!\w)_[^_\s][^_\n]{0,300}_(?!\w)/g, hide),
  (text, hide) => text.replace(/[\w\u3040-\u30ff\u4e00-\u9fff-]{1,80}\.[A-Za-z]\w{0,4}(?![\w.])/g, hide),
  (text, hide) =>
    text.replace(
      /"[^"]{0,2000}"|[\u201c\u201e][^\u201c\u201d]{0,2000}[\u201c\u201d]|[\u00ab][^\u00bb]{0,1000}\u00bb/g,
      hide,
    ),
  (text, hide) => text.replace(/(?<![A-Za-z0-9])'[^'\n]{1,400}'(?![A-Za-z0-9])/g, hide),
  (text, hide) => twice(text, /\{[^{}]{0,2000}\}/g, hide),
  (text, hide) => text.replace(/[\w.~@-]{0,80}\/[^\s\u3001\u3002,]{1,300}/g, hide),
  (text, hide) => text.replace(/[!-~]{1,400}/g, (token) => nameHidden(token, hide)),
];

function twice(text: string, pattern: RegExp, hide: Hide): string {
  return text.replace(pattern, hide).replace(pattern, hide).replace(pattern, hide);
}

function nameHidden(token: string, hide: Hide): string {
  const bare = /^(.*?)[),.;:!?'"]*$/.exec(token)?.[1] ?? token;
  return bare !== "" && (isName(bare) || /^[#$@]\w/.test(bare)) ? `${hide(bare)}${token.slice(bare.length)}` : token;
}

/** Removes comments, elements with their content, and output of other hooks. */
function withoutMarkup(text: string, hide: Hide): string {
  const said = text.replace(/\[\s*(?:MAGIC KEYWORD|SYSTEM|HOOK)\b[\s\S]*$/i, hide);
  const plain = said.replace(/<!--[\s\S]*?(?:-->|$)/g, hide);
  let rest = plain;
  let kept = "";
  for (let found = OPENING.exec(rest); found; found = OPENING.exec(rest)) {
    const after = found.index + found[0].length;
    const close = rest.indexOf(`</${found[1]}>`, after);
    const end = close < 0 ? after : close + `</${found[1]}>`.length;
    kept += rest.slice(0, found.index) + hide(rest.slice(found.index, end));
    rest = rest.slice(end);
  }
  return kept + rest;
}

const OPENING = /<\/?([A-Za-z][\w:-]{0,60})[^<>]{0,300}>/;

const ITEM = /^\s{0,20}(?:\d{1,3}[.)]|[-*+\u2022\u30fb])\s/;

/** Table rows, quoted lines, headings and UI elements of the host. */
function isDrawn(line: string): boolean {
  return /^\||\|$|^[>#\u2502\u23bf\u23fa\u25cf\u276f\u2503]/.test(line.slice(0, 200).trim());
}

/** A line that names a speaker or a time; it also introduces the text after it. */
function isSpoken(line: string): boolean {
  foreign ??= new RegExp(
    `^(?:${SPEAKERS})(?:\\([^()]{0,40}\\))?\\s?:|^[^:]{1,30}\\s[\\[(]?\\d{1,2}:\\d{2}(?:\\s?[ap]m)?[\\])]?(?:[:\\s]|$)`,
    "i",
  );
  return foreign.test(line.slice(0, 200).trim());
}

let foreign: RegExp | undefined;
const SPEAKERS =
  "user|human|assistant|system|claude|agent|ai|bot|customer|client|reviewer|author|from|to|cc|subject|date|sent|re|fwd?|" +
  "q|a|title|summary|expected|actual|steps?|note|todo|skill|user request|given|when|then|commit|feat|fix|chore|docs|test|" +
  "ユーザー|利用者|アシスタント|システム|件名|差出人|宛先|日時|お客様|顧客|質問|回答|期待|実際|手順|備考|メモ|注|例";
