/** The plugin's skills and agents: complete, short and consistent. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { KEYWORD_SKILLS } from "../src/policies/modes/keyword-skills.ts";

const PLUGIN = join(import.meta.dirname, "..", "plugin");
const skills = readdirSync(join(PLUGIN, "skills"));
const agents = readdirSync(join(PLUGIN, "agents"));

function read(...path: readonly string[]): { readonly text: string; readonly front: string } {
  const text = readFileSync(join(PLUGIN, ...path), "utf8");
  return { text, front: /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "" };
}

describe("the plugin", () => {
  const ledTo = Object.values(KEYWORD_SKILLS).map(({ skill }) => skill);

  it("GT-56 has the skills that the gates name, those of the keywords, and the three agents", () => {
    const gates = [
      "code-quality-rules",
      "document-quality-rules",
      "getting-started",
      "verification-before-completion",
      "writing-skills",
    ];
    expect([...skills].sort()).toEqual([...gates, ...ledTo].sort());
    expect([...agents].sort()).toEqual(["implementer.md", "researcher.md", "reviewer.md"]);
  });

  it.each(skills)("%s is short and says when to use it", (name) => {
    const { text, front } = read("skills", name, "SKILL.md");
    expect(text.split("\n").length).toBeLessThanOrEqual(61);
    expect(front).toMatch(new RegExp(`^name: ${name}$`, "m"));
    expect(front).toMatch(/^description: ".*Use (?:when|before) .*"$/m);
  });

  it.each(ledTo)("MD-24 %s is the skill of a keyword: its front matter is valid and has its name", (name) => {
    const { text, front } = read("skills", name, "SKILL.md");
    expect(load(front)).toEqual({ name, description: expect.stringMatching(/Use (?:when|before) /) });
    expect(text.split("\n").length).toBeGreaterThanOrEqual(25);
  });

  it.each(["cancel", "persistent-mode", "turbo-mode", "web-qa"])(
    "MD-26 %s says that only the person cancels, how to ask, and that a stuck agent is released",
    (name) => {
      const { text } = read("skills", name, "SKILL.md");
      expect(text).toContain("`cancel`");
      expect(text).toMatch(/you cannot(?: cancel)?, and must\s+not try/i);
      expect(text).toContain("AskUserQuestion");
      expect(text).toContain("Sekisho releases a stuck agent by itself");
    },
  );

  it("MD-17 persistent-mode promises neither fifty refusals nor two hours", () => {
    expect(read("skills", "persistent-mode", "SKILL.md").text).not.toMatch(
      /\b(?:50|fifty)\b|\b(?:2|two) ?h(?:ours?)?\b/i,
    );
  });

  it.each([
    ["persistent-mode", "<promise>DONE</promise>"],
    ["turbo-mode", "<promise>DONE</promise>"],
    ["web-qa", "<promise>QA_COMPLETE</promise>"],
  ])("MD-58 %s names its marker, %s", (name, marker) => {
    expect(read("skills", name, "SKILL.md").text).toContain(marker);
  });

  it.each(agents)("GT-56 %s preloads existing skills", (file) => {
    const { front } = read("agents", file);
    expect(front).toMatch(new RegExp(`^name: ${file.replace(".md", "")}$`, "m"));
    const preloaded = [...front.matchAll(/^ {2}- sekisho:(.+)$/gm)].map(([, name]) => name);
    expect(preloaded.length).toBeGreaterThan(0);
    expect(skills).toEqual(expect.arrayContaining(preloaded));
  });

  it("GT-56 a reviewer cannot edit, and must not have implemented the change", () => {
    const { text, front } = read("agents", "reviewer.md");
    expect(front).toMatch(/^tools: (?!.*(?:Edit|Write)).*$/m);
    expect(text).toContain("If you implemented any of it, say so and stop");
  });

  it("GT-26 the completion report names every check, a summary and the next activity", () => {
    const { text } = read("skills", "verification-before-completion", "SKILL.md");
    for (const words of ["Type check:", "Lint:", "Tests: passed, <count> tests", "Build:", "## Summary", "## Next"])
      expect(text).toContain(words);
    const table = [...text.matchAll(/^\| ([a-z]+) \| ([a-z]+)/gm)].map(([, from, to]) => [from, to]);
    expect(table).toEqual([
      ["research", "design"],
      ["design", "implement"],
      ["plan", "implement"],
      ["implement", "compound"],
      ["debug", "implement"],
      ["review", "compound"],
    ]);
    expect(text).toContain("| anything else | none |");
  });
});
