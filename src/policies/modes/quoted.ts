/** Foreign text inside a note with our tags. */
import { inline } from "../../lib/text.ts";

const QUOTED_CHARS = 200;

/** Makes text safe: one line, secrets masked, no opening or closing tags. */
export function quoted(words: string, max: number = QUOTED_CHARS): string {
  return inline(words, max).replace(/<(?=\s*[/!?a-zA-Z])/g, "\u2039");
}
