/** What a prompt wants of the modes: by a command of ours, or by a keyword. */
import type { HookEvent } from "../../kernel/event.ts";
import { keywordsIn } from "../../kernel/keywords.ts";
import { knownMode, type ModeName } from "../../state/modes.ts";
import type { Settings } from "../../state/settings.ts";

export interface Wish {
  readonly cancel: boolean;
  /** Typed as a command: who says it outright is answered. */
  readonly explicit: boolean;
  /** By our names of them. */
  readonly keywords: readonly string[];
  readonly modes: readonly ModeName[];
  /** What is to be done. */
  readonly task: string;
}

const NOTHING: Wish = { cancel: false, explicit: false, keywords: [], modes: [], task: "" };

export function wishIn(event: HookEvent<"UserPromptSubmit" | "UserPromptExpansion">, { modes }: Settings): Wish {
  const typed = event.name === "UserPromptSubmit" ? commandIn(event.prompt) : event;
  if (typed) return wishOf(typed);
  if (event.name !== "UserPromptSubmit" || event.prompt.trimStart().startsWith("/")) return NOTHING;
  const named = keywordsIn(asShown(event.prompt), modes.keywords ? modes.words : []);
  // Whoever wants no words to start anything must still be able to end what a command has started.
  const keywords = modes.keywords ? named : named.filter((name) => name === "cancel");
  if (keywords.length === 0) return NOTHING;
  const led = modes.words.flatMap(({ name, mode }) => (mode !== undefined && keywords.includes(name) ? [mode] : []));
  const begun = [...keywords.flatMap((keyword) => modeOf(keyword) ?? []), ...led];
  return {
    cancel: keywords.includes("cancel"),
    explicit: false,
    // Whoever starts a mode by a word of their own starts the same mode: the agent is told of it in the same words.
    keywords: [...new Set([...keywords, ...led.map((mode) => KEYWORD[mode])])],
    modes: [...new Set(begun)],
    task: event.prompt,
  };
}

/** Our own notices show the word that cancels in these signs: who copies it with them means it. */
function asShown(prompt: string): string {
  const word = /^\s*[`\u300c](cancel|\u30ad\u30e3\u30f3\u30bb\u30eb)[`\u300d]\s*$/i.exec(prompt)?.[1];
  return word ?? prompt;
}

/** `/persistent fix the tests`, also with the name of the plugin. Another plugin's command of that name is not ours. */
function commandIn(prompt: string): { command: string; args: string } | undefined {
  const [, command, args = ""] = /^\s*\/([\w:-]{1,80})(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  return command === undefined ? undefined : { command, args };
}

function wishOf({ command, args }: { readonly command: string; readonly args: string }): Wish {
  const name = command.replace(/^sekisho:/, "");
  if (name === "cancel") return { ...NOTHING, cancel: true, explicit: true };
  const mode = modeOf(name);
  return mode ? { ...NOTHING, explicit: true, keywords: [KEYWORD[mode]], modes: [mode], task: args } : NOTHING;
}

const KEYWORD: Readonly<Record<ModeName, string>> = { persistent: "persistent", qa: "web-qa", turbo: "turbo" };

/** By the mode's own name, the keyword's, or the skill's. */
export function modeOf(word: string): ModeName | undefined {
  return word === "web-qa" ? "qa" : knownMode(word.replace(/-mode$/, ""));
}
