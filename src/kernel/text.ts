/** Words for people and agents, in both languages of the house. */
import { maskText } from "./secrets.ts";

export type Language = "en" | "ja";
export type Text = Readonly<Record<Language, string>>;

export function text(en: string, ja: string): Text {
  return { en, ja };
}

/** Cuts to a number of characters without breaking a surrogate pair. */
export function clip(value: string, max: number): string {
  if (value.length <= max) return value;
  const end = Math.max(0, max - 1);
  const code = value.charCodeAt(end - 1);
  return `${value.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`;
}

/** What is looked through for secrets before it is cut: half a token would not be known for one. */
const LOOKED_THROUGH_MAX = 16_384;

/** One line, printable, no secret in it: what a hostile value may look like inside a message. */
export function inline(value: string, max = 120): string {
  const safe = maskText(value.slice(0, LOOKED_THROUGH_MAX));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not reach a terminal.
  return clip(safe.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim(), max);
}

/** The language to speak: the setting, or what the environment of the person's terminal says. */
export function languageOf(setting: "auto" | Language, env: Readonly<Record<string, string | undefined>>): Language {
  if (setting !== "auto") return setting;
  return (env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "").startsWith("ja") ? "ja" : "en";
}

/** The same words without the secrets that somebody may have put into them. */
export function masked({ en, ja }: Text): Text {
  return { en: maskText(en), ja: maskText(ja) };
}
