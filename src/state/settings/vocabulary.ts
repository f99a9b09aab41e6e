/**
 * Syntax of the phrases of custom keywords: `~` optional white space, `…9` at most nine characters between, `(a|b)`
 * alternatives, `^` and `$` the start and end of a sentence without polite words. English words match whole words.
 * Groups do not nest and gaps are few and short, so that no prompt makes matching slow.
 */

export interface OwnKeyword {
  readonly name: string;
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  readonly veto: readonly string[];
}

const PHRASE_CHARS_MAX = 120;
const GAP_MAX = 30;
const GAPS_MAX = 2;
const ALTERNATIVES_MAX = 24;
/** Two-letter words occur in half of all prompts; two Japanese characters say more. */
const LETTERS_MIN = 3;
const CHARACTERS_MIN = 2;

/** Why a person's phrase cannot be used, as text for a settings error. */
export function vocabularyProblem(phrase: string): string | undefined {
  if (typeof phrase !== "string") return "is not a text";
  if (phrase.length > PHRASE_CHARS_MAX) return `is longer than ${PHRASE_CHARS_MAX} characters`;
  const text = normal(phrase).trim();
  if (text === "") return "is empty";
  return forbiddenIn(text) ?? groupProblem(text) ?? gapProblem(text) ?? lengthProblem(text);
}

/** Characters that are removed before matching, so that such a phrase would never match. */
function forbiddenIn(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what a phrase must not have.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return "has a line break or another control character in it";
  if (text.replace(/\([^()]*\)/g, "").includes("|")) return "has a | outside of round brackets";
  if (/[.!?;](?:\s|$)|\u3002/.test(text)) return "has the end of a sentence in it";
  const quote = /["`\u300c\u300d\u300e\u300f\u201c\u201d[\]{}<>\\*]/.exec(text)?.[0];
  if (quote !== undefined) return `has ${quote} in it; what is quoted, bracketed or code is never looked at`;
  if (text.startsWith("/")) return "begins with /; commands are not keywords";
  if (text.slice(1).includes("^")) return "has a ^ that is not at its beginning";
  return text.slice(0, -1).includes("$") ? "has a $ that is not at its end" : undefined;
}

function groupProblem(text: string): string | undefined {
  const rest = text.replace(/\([^()]*\)/g, "");
  if (/[()]/.test(rest)) return "has brackets that do not go in pairs, or one group within another";
  const groups = text.match(/\([^()]*\)/g) ?? [];
  if (groups.some((group) => !group.includes("|"))) return "has a group with one alternative only";
  const alternatives = groups.reduce((sum, group) => sum + group.split("|").length, 0);
  return alternatives > ALTERNATIVES_MAX ? `has more than ${ALTERNATIVES_MAX} alternatives` : undefined;
}

function gapProblem(text: string): string | undefined {
  const gaps: readonly string[] = text.match(/\u2026\d*/g) ?? [];
  if (/\u301c\d/.test(text)) return "has a \u301c before a number; a gap is written with \u2026";
  if (gaps.includes("\u2026")) return "has a \u2026 without a number behind it";
  if (gaps.some((gap) => Number(gap.slice(1)) > GAP_MAX)) return `has a gap of more than ${GAP_MAX} characters`;
  if (gaps.length > GAPS_MAX) return `has more than ${GAPS_MAX} gaps`;
  if (/\([^()]*\u2026[^()]*\)/.test(text)) return "has a gap within a group";
  return /^\^?[~ ]*\u2026|\u2026\d+[~ ]*\$?$/.test(text) ? "begins or ends with a gap" : undefined;
}

function lengthProblem(text: string): string | undefined {
  const bare = text.replace(/^\^|\$$/g, "").replace(/\u2026\d+|~/g, "");
  const shortest = bare.replace(/\(([^()]*)\)/g, (_, inner: string) => shortestOf(inner.split("|")));
  const [letters, others] = [shortest.match(/[a-z0-9]/g) ?? [], shortest.match(/[^\s!-~]/g) ?? []];
  if (others.length >= CHARACTERS_MIN || letters.length >= LETTERS_MIN) return undefined;
  if (others.length === 1 && letters.length >= 1) return undefined;
  return "is too short: it would be found in prompts that mean something else";
}

function shortestOf(alternatives: readonly string[]): string {
  return alternatives.reduce((least, one) => (one.length < least.length ? one : least));
}

/** Ignores full and half width, capitals and typographic apostrophes. */
export function normal(text: string): string {
  // The ellipsis is phrase syntax; NFKC would turn it into three dots.
  const pieces = text.split("\u2026").map((piece) => piece.normalize("NFKC"));
  return lowered(pieces.join("\u2026").replace(/[\u2018\u2019\u02bc]/g, "'"));
}

/** Latin letters only: in other scripts a capital may become two letters. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
