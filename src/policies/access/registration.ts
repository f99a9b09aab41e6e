/** What a settings file of the host would lose, or gain, that disarms us. */
import type { Arming } from "../../kernel/facts.ts";
import { type Text, text } from "../../kernel/text.ts";

/** A file's hooks, and its flaws marked with `!`: what a later version of the file is held against. */
export function marksOf({ hooks, disarms }: Arming): readonly string[] {
  return [...hooks, ...disarms.map((key) => `!${key}`)];
}

/** Undefined when the file is no less armed than before. */
export function lossIn(before: readonly string[], after: Arming): Text | undefined {
  const had = before.filter((mark) => !mark.startsWith("!"));
  if (!after.readable && had.length > 0) {
    return text(
      "the client could not read it and would drop it whole",
      "クライアントが読めなくなり、丸ごと無視されます",
    );
  }
  const lost = had.filter((hook) => !after.hooks.includes(hook));
  if (lost.length > 0) {
    const names = lost.length > 3 ? `${lost.slice(0, 3).join(", ")} …` : lost.join(", ");
    return text(
      `Sekisho's hooks would be gone or altered: ${names}`,
      `関所のフックが失われるか書き換わります: ${names}`,
    );
  }
  const added = after.disarms.filter((key) => !before.includes(`!${key}`));
  return added.length > 0
    ? text(`it would disarm the hooks: ${added.join(", ")}`, `フックが無効になります: ${added.join(", ")}`)
    : undefined;
}
