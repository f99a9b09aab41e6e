/**
 * A refused path is kept with its tokens masked. The token itself stands in the call that names the path again, so it is
 * put back from there before the two are compared.
 */
import { MASK } from "../../lib/secret-shapes.ts";
import { maskTokens } from "../../lib/secrets.ts";

export function withTokenFrom(path: string, words: string): string {
  if (!path.includes(MASK)) return path;
  return path
    .split("/")
    .map((segment) => (segment.includes(MASK) ? (spelledIn(words, segment) ?? segment) : segment))
    .join("/");
}

const WORDS_MAX = 2000;

function spelledIn(words: string, masked: string): string | undefined {
  const parts = words.split(/[\s"'`/=:;,()<>|&]+/, WORDS_MAX);
  return parts.find((part) => part.length >= masked.length - MASK.length && maskTokens(part) === masked);
}
