/** How git reads its options. */

import type { Word } from "../../kernel/shell-reading.ts";
import type { Danger } from "./danger.ts";

/** `config`: what `-c` sets for this one command. */
export type GitRule = (args: readonly Word[], config: readonly Word[]) => Danger | undefined;

/** A long option, whole or cut short as git allows. */
export function says(args: readonly Word[], option: string): boolean {
  for (const { text } of args) {
    const word = text.replace(/=.*$/s, "");
    if (word === "--") return false;
    if (word === option || (word.length > 3 && option.startsWith(word))) return true;
  }
  return false;
}

/** A short option, alone or in a cluster; letters that take a value take the rest of theirs. */
export function flag(args: readonly Word[], letter: string, valued = ""): boolean {
  for (const { text: word } of args) {
    if (word === "--") return false;
    if (!/^-[a-zA-Z]/.test(word)) continue;
    const end = [...word].findIndex((each, at) => at > 0 && valued.includes(each));
    if (word.slice(1, end < 0 ? undefined : end).includes(letter)) return true;
  }
  return false;
}
