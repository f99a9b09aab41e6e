import { describe, expect, it } from "vitest";
import { KEYWORDS, type KeywordName } from "../../language/keywords/keywords.ts";
import { KEYWORD_SKILLS, keywordNote, keywordNotes } from "./keyword-skills.ts";

const all = Object.keys(KEYWORD_SKILLS) as readonly KeywordName[];
const plugin = Object.values(KEYWORD_SKILLS).map(({ skill }) => `sekisho:${skill}`);

describe("MD-24 keywords and their skills", () => {
  it("there are twelve, in order of priority", () => {
    expect(all).toEqual(KEYWORDS);
    expect(all.map((name) => `${name} ${KEYWORD_SKILLS[name].skill}`)).toEqual([
      "cancel cancel",
      "persistent persistent-mode",
      "turbo turbo-mode",
      "research-pilot research-pilot",
      "feature-pilot feature-pilot",
      "web-qa web-qa",
      "security security-scan",
      "bug-fix bug-fix",
      "deep-explain deep-explain",
      "analyze-pipeline analyze-what-to-build",
      "competitive-tracker competitive-tracker",
      "manual-generator manual-generator",
    ]);
  });
});

describe("MD-29 a keyword whose skill is available", () => {
  it.each(all)("%s is named, and the note orders its skill through the Skill tool", (name) => {
    const { en, ja } = keywordNote(name, plugin);
    const { skill } = KEYWORD_SKILLS[name];
    expect(en).toBe(
      `Sekisho: the prompt says ${name}. Take up the skill sekisho:${skill} now, with the Skill tool, before anything else.`,
    );
    expect(ja).toContain(`この依頼は ${name} です`);
    expect(ja).toContain(`今すぐ Skill ツールでスキル sekisho:${skill} を`);
  });

  it("a skill has the name it has in the session, and our own comes first", () => {
    expect(keywordNote("turbo", ["turbo-mode"]).en).toContain("the skill turbo-mode now");
    expect(keywordNote("turbo", ["turbo-mode", "sekisho:turbo-mode"]).en).toContain("the skill sekisho:turbo-mode now");
  });

  it("several keywords become one ordered list, each once", () => {
    const notes = keywordNotes(["persistent", "security", "persistent"], plugin);
    expect(notes).toHaveLength(1);
    expect(notes[0]?.en.split("\n")).toEqual([
      "Sekisho: the prompt says several things. In this order:",
      "1. persistent. Take up the skill sekisho:persistent-mode now, with the Skill tool, before anything else.",
      "2. security. Take up the skill sekisho:security-scan now, with the Skill tool, before anything else.",
    ]);
    expect(notes[0]?.ja).toMatch(/^関所: .+この順に:\n1\. persistent。.+\n2\. security。.+$/);
  });

  it("a single keyword is not a list, and no keyword gives no note", () => {
    expect(keywordNotes(["bug-fix"], plugin)).toEqual([keywordNote("bug-fix", plugin)]);
    expect(keywordNotes([], plugin)).toEqual([]);
  });

  it("an unknown name is ignored", () => {
    expect(keywordNotes(["my-own", "__proto__", "constructor", ""], plugin)).toEqual([]);
    expect(keywordNotes(["my-own", "turbo"], plugin)).toEqual([keywordNote("turbo", plugin)]);
  });
});

describe("MD-30 a skill that does not exist is never ordered", () => {
  it.each(all)("%s gives a short instruction instead, in both languages", (name) => {
    for (const skills of [[], ["other"], plugin.filter((one) => one !== `sekisho:${KEYWORD_SKILLS[name].skill}`)]) {
      const note = keywordNote(name, skills);
      for (const words of [note.en, note.ja]) {
        expect(words).not.toMatch(/Skill|スキル|undefined|sekisho:/);
        expect(words).toContain(name);
      }
      expect(note.en.endsWith(KEYWORD_SKILLS[name].instead.en)).toBe(true);
      expect(note.ja.endsWith(KEYWORD_SKILLS[name].instead.ja)).toBe(true);
    }
  });

  it.each(all)("the instruction for %s is short", (name) => {
    const { en, ja } = KEYWORD_SKILLS[name].instead;
    for (const words of [en, ja]) {
      expect(words.length).toBeGreaterThan(60);
      expect(words.length).toBeLessThanOrEqual(350);
    }
  });

  it("in a list each keyword has its own skill or instruction", () => {
    const [note] = keywordNotes(["persistent", "web-qa"], ["sekisho:persistent-mode"]);
    expect(note?.en).toMatch(/^1\. persistent\. Take up the skill sekisho:persistent-mode/m);
    expect(note?.en).toMatch(/^2\. web-qa\. Run the project's checks/m);
  });

  it("the modes say how they end, and that only the person cancels", () => {
    const said = (name: KeywordName) => keywordNote(name, []).en;
    for (const name of ["persistent", "turbo", "web-qa"] as const)
      expect(said(name)).toContain("Only the person cancels");
    expect(said("persistent")).toContain("<promise>DONE</promise>");
    expect(said("turbo")).toContain("<promise>DONE</promise>");
    expect(said("web-qa")).toContain("<promise>QA_COMPLETE</promise> counts only where the project has no checks");
  });
});
