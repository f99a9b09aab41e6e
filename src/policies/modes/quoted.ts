/** Words of others in a note that has tags of ours around it. */
import { inline } from "../../kernel/text.ts";

const QUOTED_CHARS = 200;

/** In one line, without secrets, and with nothing in them that opens or closes a tag. */
export function quoted(words: string, max: number = QUOTED_CHARS): string {
  return inline(words, max).replace(/<(?=\s*[/!?a-zA-Z])/g, "\u2039");
}
