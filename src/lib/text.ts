/** Messages to people and agents, in English and Japanese. */
import { maskText } from "./secrets.ts";

export type Language = "en" | "ja";
export type Text = Readonly<Record<Language, string>>;

export function text(en: string, ja: string): Text {
  return { en, ja };
}

/** Truncates to a number of characters without splitting a surrogate pair. */
export function clip(value: string, max: number): string {
  if (value.length <= max) return value;
  const end = Math.max(0, max - 1);
  const code = value.charCodeAt(end - 1);
  return `${value.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`;
}

/** This many characters are masked before truncating, because half a token would not be recognized as a secret. */
const LOOKED_THROUGH_MAX = 16_384;

/** Makes a value safe inside a message, even a hostile one: one line, printable, secrets masked. */
export function inline(value: string, max = 120): string {
  const safe = maskText(value.slice(0, LOOKED_THROUGH_MAX));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not reach a terminal.
  return clip(safe.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim(), max);
}

/** The language of messages: the setting, or the locale of the person's terminal. */
export function languageOf(setting: "auto" | Language, env: Readonly<Record<string, string | undefined>>): Language {
  if (setting !== "auto") return setting;
  return (env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "").startsWith("ja") ? "ja" : "en";
}

/** The same text with secrets masked. */
export function masked({ en, ja }: Text): Text {
  return { en: maskText(en), ja: maskText(ja) };
}
