/** Words for people and agents, in both languages of the house. */

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

/** One line, printable: what a hostile value may look like inside a message. */
export function inline(value: string, max = 120): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not reach a terminal.
  return clip(value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim(), max);
}

/** The language to speak: the setting, or what the environment of the person's terminal says. */
export function languageOf(setting: "auto" | Language, env: Readonly<Record<string, string | undefined>>): Language {
  if (setting !== "auto") return setting;
  return /^ja/.test(env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "") ? "ja" : "en";
}
