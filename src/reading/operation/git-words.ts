/** Options of git commands, in all the forms that git accepts. */
import type { Word } from "../shell/parse/reading.ts";

/** A long option, in full or abbreviated as git allows. */
export function says(args: readonly Word[], option: string): boolean {
  for (const { text } of args) {
    const word = text.replace(/=.*$/s, "");
    if (word === "--") return false;
    if (word === option || (word.length > 3 && option.startsWith(word))) return true;
  }
  return false;
}

/** A short option, alone or in a cluster; a letter that takes a value consumes the rest of the cluster. */
export function flag(args: readonly Word[], letter: string, valued = ""): boolean {
  for (const { text: word } of args) {
    if (word === "--") return false;
    if (!/^-[a-zA-Z]/.test(word)) continue;
    const end = [...word].findIndex((each, at) => at > 0 && valued.includes(each));
    if (word.slice(1, end < 0 ? undefined : end).includes(letter)) return true;
  }
  return false;
}
