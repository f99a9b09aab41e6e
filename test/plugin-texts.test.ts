/** The plugin's skills and agents: complete, short and consistent. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { CRITERIA, WEAKEST } from "../src/playbook/verdict-form.ts";
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

  it("GT-56 has the skills that the gates name, those of the keywords, those of plans, and the agents", () => {
    const gates = [
      "code-quality-rules",
      "document-quality-rules",
      "getting-started",
      "verification-before-completion",
      "writing-skills",
    ];
    const plans = ["plan-criteria", "playbook-init", "understanding-check"];
    expect([...skills].sort()).toEqual([...gates, ...plans, ...ledTo].sort());
    expect([...agents].sort()).toEqual(["critic.md", "implementer.md", "pm.md", "researcher.md", "reviewer.md"]);
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

  it.each([
    ["reviewer.md", "If you implemented any of it, say so and stop"],
    ["critic.md", "If you did any of it, say so and stop"],
  ])("GT-56 PB-73 %s cannot edit, and must not have done the work", (file, words) => {
    const { text, front } = read("agents", file);
    expect(front).toMatch(/^tools: (?!.*(?:Edit|Write)).*$/m);
    expect(text).toContain(words);
  });

  it("PB-71 PB-74 the judges are told the questions that a verdict must answer, and its form", () => {
    const { text: reviewer } = read("agents", "reviewer.md");
    for (const words of [...CRITERIA, WEAKEST, "VERDICT: PASS plan NAME"])
      expect(reviewer.replace(/\s+/g, " ")).toContain(words);
    expect(read("agents", "critic.md").text).toMatch(
      /ask five things[\s\S]*VERDICT: PASS step 1[\s\S]*In doubt it is FAIL/,
    );
  });

  it("PB-75 the understanding check asks six things, for requests only", () => {
    const { text, front } = read("skills", "understanding-check", "SKILL.md");
    for (const word of ["What", "Why", "Who", "When", "Where", "How"])
      expect(text).toMatch(new RegExp(`^\\| ${word} \\|`, "m"));
    expect(front).toContain("not for questions, research or going on with work");
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
