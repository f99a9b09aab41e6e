/** How a person approves something: a line of its own, in one of four forms. */

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
  if (words.length > CHARS_MAX || words.trimStart().startsWith("<")) return [];
  const patterns = forms();
  const lines = words.replace(/^ *(```|~~~)[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm, "").split("\n");
  const names = lines.flatMap((line) =>
    patterns.flatMap((pattern) => pattern.exec(line.trim())?.[1]?.toLowerCase() ?? []),
  );
  return [...new Set(names)].slice(0, NAMES_MAX);
}

export function hasApproval(words: string): boolean {
  return approvedIn(words).length > 0;
}

/** The whole answer is an approval. */
export function isApproval(answer: string): boolean {
  return !answer.includes("\n") && hasApproval(answer);
}
