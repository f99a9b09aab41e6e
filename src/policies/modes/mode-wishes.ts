/** Reads what a prompt requests of the modes, by a command of ours or by a keyword. */
import type { HookEvent } from "../../kernel/event.ts";
import { keywordsIn } from "../../language/keywords/keywords.ts";
import { knownMode, type ModeName } from "../../state/session/modes.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { isWakeText } from "../../state/wakes/text.ts";

export interface Wish {
  readonly cancel: boolean;
  /** Typed as a command, so the person gets an answer. */
  readonly explicit: boolean;
  /** The names of the keywords. */
  readonly keywords: readonly string[];
  readonly modes: readonly ModeName[];
  /** The task for the mode. */
  readonly task: string;
}

const NOTHING: Wish = { cancel: false, explicit: false, keywords: [], modes: [], task: "" };

export function wishIn(event: HookEvent<"UserPromptSubmit" | "UserPromptExpansion">, { modes }: Settings): Wish {
  // A person's half-typed words may stand before it.
  if (isWakeText(event.name === "UserPromptSubmit" ? event.prompt : event.args)) return NOTHING;
  const typed = event.name === "UserPromptSubmit" ? commandIn(event.prompt) : event;
  if (typed) return wishOf(typed);
  if (event.name !== "UserPromptSubmit" || event.prompt.trimStart().startsWith("/")) return NOTHING;
  const named = keywordsIn(asShown(event.prompt), modes.keywords ? modes.words : []);
  // With keywords disabled, `cancel` must still end a mode that a command has started.
  const keywords = modes.keywords ? named : named.filter((name) => name === "cancel");
  if (keywords.length === 0) return NOTHING;
  const led = modes.words.flatMap(({ name, mode }) => (mode !== undefined && keywords.includes(name) ? [mode] : []));
  const begun = [...keywords.flatMap((keyword) => modeOf(keyword) ?? []), ...led];
  return {
    cancel: keywords.includes("cancel"),
    explicit: false,
    // A mode started by a person's own word is announced to the agent like any other.
    keywords: [...new Set([...keywords, ...led.map((mode) => KEYWORD[mode])])],
    modes: [...new Set(begun)],
    task: event.prompt,
  };
}

/** Our notices show the cancel word in these quotes, so a copy that includes them counts too. */
function asShown(prompt: string): string {
  const word = /^\s*[`\u300c](cancel|\u30ad\u30e3\u30f3\u30bb\u30eb)[`\u300d]\s*$/i.exec(prompt)?.[1];
  return word ?? prompt;
}

/**
 * `/persistent fix the tests`, with or without our plugin prefix. The same command of another plugin does not count.
 */
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

/** By the name of the mode, its keyword or its skill. */
export function modeOf(word: string): ModeName | undefined {
  return word === "web-qa" ? "qa" : knownMode(word.replace(/-mode$/, ""));
}
