/** How a person approves something: a line of its own, in one of four forms. */
import { isWakeText } from "../state/wakes/text.ts";

/** A longer prompt is probably a pasted log or draft. */
const CHARS_MAX = 2000;
const NAMES_MAX = 4;

/** `approve NAME`, `approve: NAME`, `\u627f\u8a8d: NAME` and `NAME\u3092\u627f\u8a8d`. */
const forms = (): readonly RegExp[] => [
  /^approve(?::\s*|\s+)([\p{L}\p{N}][\p{L}\p{N}._-]{0,63})$/iu,
  /^\u627f\u8a8d\s*[:\uff1a]\s*([\p{L}\p{N}][\p{L}\p{N}._-]{0,63})$/u,
  /^([\p{L}\p{N}][\p{L}\p{N}._-]{0,63}?)\u3092\u627f\u8a8d$/u,
];

/** The names that the prompt approves. Text inside tags or a code fence does not count. */
export function approvedIn(words: string): readonly string[] {
  const patterns = forms();
  const lines = linesIn(words);
  const names = lines.flatMap((line) =>
    patterns.flatMap((pattern) => pattern.exec(line.trim())?.[1]?.toLowerCase() ?? []),
  );
  return [...new Set(names)].slice(0, NAMES_MAX);
}

function linesIn(words: string): readonly string[] {
  if (words.length > CHARS_MAX || words.trimStart().startsWith("<") || isWakeText(words)) return [];
  return words.replace(/^ *(```|~~~)[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm, "").split("\n");
}

/** `skip the plan`, or `\u8a08\u753b\u306a\u3057\u3067`, as a clause of its own: a denial or a question is other words. */
const SKIPS =
  /^(?:please )?(?:skip (?:the )?plan|no plan(?: is)? needed|(?:do it )?without a plan)(?: please)?$|^\u8a08\u753b(?:\u306f|\u3092)?(?:\u306a\u3057|\u4e0d\u8981|\u7701\u7565|\u30b9\u30ad\u30c3\u30d7)(?:\u3067\u3059|\u3067|\u3057\u3066|\u3067\u9032\u3081\u3066)?(?:\u304f\u3060\u3055\u3044)?$/i;

/** The person says that this request needs no plan. */
export function skipsPlan(words: string): boolean {
  const clauses = linesIn(words).flatMap((line) => line.split(/[.,;!:\u3001\u3002\uff01]/));
  return clauses.some((clause) => SKIPS.test(clause.trim()));
}

export function hasApproval(words: string): boolean {
  return approvedIn(words).length > 0;
}

/** The whole answer is an approval. */
export function isApproval(answer: string): boolean {
  return !answer.includes("\n") && hasApproval(answer);
}
