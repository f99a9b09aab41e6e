/** Files that the words of sqlite name: it reads its operands, and writes what its commands and functions say. */

import { literalWord } from "../shell/parse/reading.ts";
import { effect, operands, type Rule } from "./effects.ts";

/** `.output file`, `.backup file` and `writefile('file', …)` in the words of sqlite. */
export const sqliteRule: Rule = (invocation) => {
  const written = invocation.args.flatMap(({ text }) => {
    const named = /^\s*\.(?:output|once|backup|save|excel|dump)\s+(?:main\s+)?(\S+)/.exec(text)?.[1];
    const called = /\bwritefile\s*\(\s*'([^']+)'/i.exec(text)?.[1];
    return [named, called].flatMap((path) =>
      path === undefined ? [] : [effect(invocation, "write", literalWord(path))],
    );
  });
  return [...operands(invocation).map((word) => effect(invocation, "read", word)), ...written];
};
