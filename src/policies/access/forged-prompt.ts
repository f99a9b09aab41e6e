/** Ways to have the client take the agent's own words for a person's prompt: a keyboard, and the file of what it sends later. */
import { keywordsIn } from "../../kernel/keywords.ts";
import { names } from "../../kernel/name-table.ts";
import type { Operation } from "../../kernel/operation.ts";
import { sentWords } from "../../kernel/persons-prompt.ts";
import { deny, pass, type Ruling } from "../../kernel/policy.ts";
import type { ShellReading } from "../../kernel/shell-reading.ts";
import { inline, text } from "../../kernel/text.ts";

export function onForgedPrompt({ shell, effects }: Operation, targets: Readonly<Record<string, string>>): Ruling {
  const typist = shell && typistIn(shell);
  if (typist !== undefined) return refuse(inline(typist, 40));
  const file = effects.find(
    ({ kind, elsewhere, path }) => kind === "write" && !elsewhere && isSchedule(targets[path] ?? path),
  );
  return file ? refuse(inline(file.spelled, 100)) : pass;
}

/** Sent later, it would cancel nothing; but from then on nobody could tell the person's own word from it. */
export function onScheduled({ name, prompts }: { readonly name: string; readonly prompts?: string }): Ruling {
  const words = sentWords(prompts ?? "");
  return /^\/(?:sekisho:)?cancel\b.{0,20}$/.test(words) || cancels(words) ? refuse(inline(name, 40)) : pass;
}

/** By the words that a person would end a mode with, and the key behind them. */
function cancels(words: string): boolean {
  return keywordsIn(words.replace(/(?:\\[nr]|\^M)+$/i, "")).includes("cancel");
}

/** Programs that type into somebody's terminal or window. */
const TYPISTS = names("tmux screen zellij wezterm kitty kitten xdotool ydotool dotool wtype osascript");
/** Whatever else they type may be meant for another program. */
const commandPattern = (): RegExp => /(?:^|[\s"'])\/(?:sekisho:)?cancel\b/i;

function typistIn({ invocations }: ShellReading): string | undefined {
  return invocations.find(
    ({ name = "", args, remote, contained }) =>
      TYPISTS.has(name) &&
      !remote &&
      !contained &&
      args.some(({ text: word }) => commandPattern().test(word) || cancels(word)),
  )?.name;
}

/** The client reads it while it runs, and says of no prompt that it came from there. */
function isSchedule(path: string): boolean {
  return path.endsWith("/scheduled_tasks.json") && path.endsWith("/.claude/scheduled_tasks.json");
}

function refuse(spelled: string): Ruling {
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
