/** Compiles keyword phrases (their syntax: state/vocabulary.ts) to regular expressions on first use. */
import { normal } from "../../state/settings/vocabulary.ts";

interface Made {
  /** Every text that matches the phrase contains at least one of these. */
  readonly needles: readonly string[];
  pattern?: RegExp;
}

const made = new Map<string, Made>();
/** Bounds the cache, because the daemon lives all day and settings change. */
const MADE_MAX = 2000;

/** Searches for a needle before compiling the pattern, which costs a fresh process a hundred times as much. */
export function isFound(phrase: string, text: string): boolean {
  return foundAt(phrase, text) >= 0;
}

/** The index of the first match, or -1. */
export function foundAt(phrase: string, text: string): number {
  const one = madeOf(phrase);
  if (!one.needles.some((needle) => text.includes(needle))) return -1;
  one.pattern ??= phrasePattern(phrase);
  return text.search(one.pattern);
}

export function withoutPhrase(text: string, phrase: string): string {
  return isFound(phrase, text) ? text.replace(phrasePattern(phrase), " ") : text;
}

function madeOf(phrase: string): Made {
  const known = made.get(phrase);
  if (known) return known;
  if (made.size >= MADE_MAX) made.clear();
  const one = { needles: needlesOf(normal(phrase)) };
  made.set(phrase, one);
  return one;
}

/** The required piece whose shortest alternative is longest, as the most selective one. */
function needlesOf(phrase: string): readonly string[] {
  const choices = piecesOf(phrase).map((alternatives) => alternatives.map(longestPart));
  return choices.reduce((best, one) => (least(one) > least(best) ? one : best), [""]);
}

/** The required pieces: the alternatives of each group, and the text between groups and gaps. */
export function piecesOf(phrase: string): readonly (readonly string[])[] {
  const pieces = phrase.replace(/^\^|\$$/g, "").match(/\([^()]*\)|(?:(?![\u2026\u301c]\d)[^()])+/g) ?? [];
  return pieces.map((piece) => piece.replace(/^[()]|[()]$/g, "").split("|"));
}

function longestPart(text: string): string {
  const parts = text.replace(/^\d+/, "").split(/[~\s]+/);
  return parts.reduce((best, part) => (part.length > best.length ? part : best), "");
}

function least(alternatives: readonly string[]): number {
  return Math.min(...alternatives.map(({ length }) => length));
}

function phrasePattern(phrase: string): RegExp {
  return new RegExp(source(phrase));
}

const TOKEN = /([\u2026\u301c])(\d+)|[a-z0-9_'-]+|./gsu;

function source(phrase: string): string {
  const text = normal(phrase).trim().replace(/\s+/g, " ");
  return [...text.matchAll(TOKEN)]
    .map(([token, gap, length], at, all) => {
      if (gap !== undefined) return gap === "\u2026" ? `.{0,${length}}` : `${NAME_SIGN}{0,${length}}`;
      if (/^[a-z0-9_'-]/.test(token)) return word(token, all[at - 1]?.[0], all[at + 1]?.[0]);
      return sign(token, at === 0, at === all.length - 1);
    })
    .join("");
}

/** `〜9` is a gap without Japanese verbs and English prepositions, so that it spans one name and not a clause. */
const NAME_SIGN =
  "(?:(?! (?:for|in|on|of|to|about|with|from|by|as|that|which|where|and) )(?:[^\\u3041-\\u3096]|[のとやも]))";
const WORD_BEFORE = "(?<![a-z0-9_\\u00c0-\\u024f.@#$/-])";
const WORD_AFTER = "(?![a-z0-9_\\u00c0-\\u024f]|['./@-][a-z0-9])";

/** A `~` beside a word lets the word continue there. */
function word(token: string, before: string | undefined, after: string | undefined): string {
  const start = before === "~" ? "" : WORD_BEFORE;
  return `${start}${escaped(token)}${after === "~" ? "" : WORD_AFTER}`;
}

function sign(token: string, isFirst: boolean, isLast: boolean): string {
  if (token === "~") return " ?";
  if (token === "(") return "(?:";
  if (token === ")" || token === "|") return token;
  if (token === "^" && isFirst) return "^";
  if (token === "$" && isLast) return `(?:[ ,\\u3001]{0,2}(?:${POLITE_ENDS})){0,4}[ ,\\u3001!~]{0,4}$`;
  return escaped(token);
}

function escaped(token: string): string {
  return token.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Endings that do not change the request. */
const POLITE_ENDS =
  "(?:please|now|thanks|thank you|thx|ok|okay|for me|right now|immediately|asap|right away|then)(?![a-z])|" +
  "ください|下さい|くれますか|くれる ?\\?|くれない ?\\?|くれ|もらえますか|もらえる ?\\?|いただけますか|頂けますか|お願いします|お願いいたします|" +
  "お願い|おねがい|ほしい|欲しい|よろしくお願いします|よろしく|頼みます|頼む|ね|よ|な|今すぐ|すぐに|\\?";

const POLITE_STARTS =
  "(?:please|ok|okay|now|then|so|hey|hi|hello|alright|all right|right|great|good|perfect|yes|yeah|yep|" +
  "well|also|first|next|finally|let's|lets|let us|can you|could you|would you|will you|i want you to|i'd like you to|" +
  "i need you to|you can|you should|go ahead and|just|actually|claude|separately|again|sorry|thanks|thank you|kindly|" +
  "oh|wait|never mind|nevermind)(?![a-z0-9_'-])|(?:no|nope|but)(?=,)|" +
  "それでは|それじゃあ|それじゃ|では|じゃあ|じゃ|よし|はい|でも|けど|うーん|次は|次に|さあ|さて|もういい|もう|やっぱり|やはり|ごめんなさい|ごめん|" +
  "すみません|すいません|いいえ|いや|いえ|とりあえず|一旦|いったん|今すぐ|今度は|引き続き|あと|そして|それと|了解|待って|ストップ|ちょっと|ok";

let polite: RegExp | undefined;

/** Drops greetings and polite openings from a sentence. */
export function withoutPoliteStart(sentence: string): string {
  polite ??= new RegExp(`^(?:(?:${POLITE_STARTS})[ ,\\u3001!]{0,3}){1,6}`);
  return sentence.replace(polite, "");
}
