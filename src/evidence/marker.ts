/** Looks for a completion marker in the agent's last message, the weakest kind of evidence. */

/**
 * A marker in the middle of a line, or quoted beside other words, is only a mention. It counts at the beginning or end
 * of a line.
 */
export function hasMarker(message: string, name: string): boolean {
  const wanted = spelled(name);
  if (wanted === "") return false;
  const end = message.slice(-MESSAGE_CHARS);
  return [...end.matchAll(/<promise>([^<]{0,200})<\/promise>/gi)].some(
    (found) => spelled(found[1] ?? "") === wanted && isMeant(end, found.index, found[0].length),
  );
}

function isMeant(message: string, at: number, length: number): boolean {
  const before = message.slice(message.lastIndexOf("\n", at - 1) + 1, at);
  const [after = ""] = message.slice(at + length).split("\n", 1);
  const isFirst = wordsIn(before) === "";
  const isLast = wordsIn(after) === "";
  const isQuoted = QUOTE.test(before.slice(-1)) && QUOTE.test(after.slice(0, 1));
  return isQuoted ? isFirst && isLast : isFirst || isLast;
}

/** Removes other markers, punctuation and white space. */
function wordsIn(text: string): string {
  return text.replace(/<promise>[^<]{0,200}<\/promise>/gi, "").replace(/[^\p{L}\p{N}]+/gu, "");
}

const QUOTE = /["'`\u2018-\u201f\u00ab\u00bb\u300c-\u300f]/;

/** Ignores case and the amount of white space. */
function spelled(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

const MESSAGE_CHARS = 20_000;
