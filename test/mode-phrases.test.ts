/** The phrases that docs/modes.md lists for starting a mode do start it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keywordsIn } from "../src/language/keywords/keywords.ts";

const KEYWORDS: Readonly<Record<string, string>> = { persistent: "persistent", qa: "web-qa", turbo: "turbo" };
const document = readFileSync(join(import.meta.dirname, "../docs/modes.md"), "utf8");

const offered = Object.entries(KEYWORDS).flatMap(([mode, keyword]) => {
  const [, words = ""] = new RegExp(`^\\| ${mode} \\| ([^|]*) \\|`, "m").exec(document) ?? [];
  const phrases = [...words.matchAll(/`([^`/][^`]*)`/g)].map(([, phrase = ""]) => phrase);
  return phrases.map((phrase) => [phrase, keyword] as const);
});

it("docs/modes.md has phrases for every mode, in both languages", () => {
  for (const keyword of Object.values(KEYWORDS)) {
    const phrases = offered.filter(([, meant]) => meant === keyword).map(([phrase]) => phrase);
    expect(phrases.length).toBeGreaterThan(1);
    expect(phrases.some((phrase) => /[\u3040-\u30ff]/.test(phrase))).toBe(true);
  }
});

it.each(offered)("%j starts %s", (phrase, keyword) => {
  const isFirst = phrase.startsWith("…");
  const prompt = phrase.replace(
    "…",
    isFirst ? "Implement the login page" : /で…/.test(phrase) ? "ログイン" : "the login",
  );
  expect(keywordsIn(prompt, [])).toContain(keyword);
});
