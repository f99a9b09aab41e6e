/** Prompts that the host would send later, as if a person had: the tool for them, and the file that keeps them. */

import type { HostTraits } from "../../../kernel/host-traits.ts";
import { sentWords } from "../../../kernel/persons-prompt.ts";
import { deny, pass, type Ruling } from "../../../kernel/policy.ts";
import { keywordsIn } from "../../../language/keywords/keywords.ts";
import { inline, text } from "../../../lib/text.ts";
import type { Operation } from "../../../reading/operation/operation.ts";

export function onForgedPrompt(
  { effects }: Operation,
  { targets, host }: { readonly targets: Readonly<Record<string, string>>; readonly host: HostTraits },
): Ruling {
  // The host reads this file while it runs, and does not mark prompts that come from it.
  const file = effects.find(
    ({ kind, elsewhere, path }) =>
      kind === "write" && !elsewhere && (targets[path] ?? path).endsWith(host.scheduleFile),
  );
  return file ? refuseForged(inline(file.spelled, 100)) : pass;
}

/**
 * The scheduled prompt itself would not cancel anything, but afterwards a person's own `cancel` could not be told apart
 * from it.
 */
export function onScheduled({ name, prompts }: { readonly name: string; readonly prompts?: string }): Ruling {
  const words = sentWords(prompts ?? "");
  return /^\/(?:sekisho:)?cancel\b.{0,20}$/.test(words) || cancels(words) ? refuseForged(inline(name, 40)) : pass;
}

/** The words by which a person ends a mode, followed by the Enter key. */
export function cancels(words: string): boolean {
  return keywordsIn(words.replace(/(?:\\[nr]|\^M)+$/i, "")).includes("cancel");
}

export function refuseForged(spelled: string): Ruling {
  return deny({
    what: text(
      `This would send the client a prompt that looks like the person's (${spelled}).`,
      `利用者の入力に見えるプロンプトをクライアントに送る操作です (${spelled})。`,
    ),
    fix: text(
      "For a prompt at a later time use CronCreate or ScheduleWakeup. What only the person may say, ask them to say.",
      "後で送るプロンプトには CronCreate か ScheduleWakeup を使ってください。人だけが言えることは、その人に頼んでください。",
    ),
  });
}
