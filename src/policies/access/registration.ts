/** What a settings file of the host would lose, or gain, that disarms us. */
import type { Arming } from "../../kernel/facts.ts";
import { type Text, text } from "../../kernel/text.ts";

/** A file's hooks, its flaws marked with `!`, its unknown keys with `?`: what a later version is held against. */
export function marksOf({ hooks, disarms, strange }: Arming): readonly string[] {
  return [...hooks, ...disarms.map((key) => `!${key}`), ...strange.slice(0, STRANGE_MAX).map((key) => `?${key}`)];
}

/** A record is small; beyond this, a file of many unknown keys is simply not changed by an agent. */
const STRANGE_MAX = 8;

/** Undefined when the file is no less armed than before. */
export function lossIn(before: readonly string[], after: Arming): Text | undefined {
  const had = before.filter((mark) => !/^[!?]/.test(mark));
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
  if (added.length > 0) {
    return text(`it would disarm the hooks: ${added.join(", ")}`, `フックが無効になります: ${added.join(", ")}`);
  }
  const strange = had.length > 0 ? after.strange.filter((key) => !before.includes(`?${key}`)) : [];
  return strange.length > 0
    ? text(
        `the client might drop the whole file for a key that is not known here (${strange[0]})`,
        `未知のキー (${strange[0]}) のため、クライアントがファイルを丸ごと無視するおそれがあります`,
      )
    : undefined;
}
