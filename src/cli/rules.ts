import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { type EndOfTurn, rulesHere } from "../app/queries/rules.ts";
import { type SkillsLack, skillsLack } from "../app/queries/skills.ts";
import type { RulesView, RuleView } from "../views/rules.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayCaution, sayJson, sayWords, table, wrap } from "./print.ts";

export const rules = defineCommand({
  name: "rules",
  formerly: "gate",
  summary: "Lists the evidence rules and whether the newest session satisfies them.",
  wordsMax: 1,
  options: jsonOption,
  examples: ["sekisho rules", "sekisho rules --json"],
  run({ json = false }, [word = "status"]) {
    // Version 0.1 had `gate status`.
    if (word !== "status") throw new Problem(`sekisho rules takes no words but got "${word}".`);
    const place = here();
    const { view, end } = rulesHere(place);
    const { stop, tasks, checks, instead } = end;
    if (json) sayJson({ ...view, verification: { stop, tasks, checks, skill: instead } });
    else print(view, end, skillsLack(place));
    return 0;
  },
});

function print({ session, rules, problems }: RulesView, end: EndOfTurn, lack: SkillsLack | undefined): void {
  if (rules.length === 0) {
    sayWords("No rule asks for evidence here. The profile praxis brings some; `gates.rules` holds your own.");
  } else {
    say(paint.bold(session ? `Newest session ${session.id.slice(0, 36)}, ${session.lastSeen}` : "No session yet"));
  }
  for (const rule of rules) printRule(rule);
  if (lack) {
    say();
    sayCaution(lack.words);
    if (lack.command) say(`  ${lack.command}`);
  }
  printChecks(end);
  for (const problem of problems) {
    say();
    say(`${paint.red("!")} ${wrap(problem, COLUMNS, "  ")}`);
  }
}

function printChecks(end: EndOfTurn): void {
  const { checks } = end;
  say();
  say(`${paint.bold("At the end of a turn that changed code")}  ${endWords(end)}`);
  if (checks.length === 0) say(paint.dim("  No check of this project is known; `verify.commands` names some."));
  else
    say(
      table(
        checks.map(({ check, standing, command }) => [checkMark(standing), check, standing, command]),
        "  ",
      ),
    );
}

function endWords({ stop, checks, instead }: EndOfTurn): string {
  if (stop === "off" || (checks.length === 0 && instead === null)) return "nothing is asked for";
  if (stop === "warn") return "told to the person";
  return instead === null ? "held until they pass" : `held until the skill ${instead} is taken up`;
}

function checkMark(standing: string): string {
  return standing === "passed" ? paint.green("✔") : paint.red("✘");
}

function printRule(rule: RuleView): void {
  say();
  say(`  ${mark(rule)} ${paint.bold(rule.name)}  ${rule.off === undefined ? rule.else : paint.yellow("off")}`);
  const rows = [
    ["before", rule.before],
    ["needs", rule.needs],
    ["stands", rule.off ?? rule.evidence],
    ["from", rule.from],
  ] as const;
  for (const [name, value] of rows) say(fitted(`      ${name.padEnd(8)}`, value));
}

function mark({ met, off }: RuleView): string {
  if (off !== undefined || met === null) return paint.dim("-");
  return met ? paint.green("✔") : paint.red("✘");
}

const COLUMNS = 80;

/** Wraps to a fixed width, for terminals and files alike. */
function fitted(start: string, words: string): string {
  return start + wrap(words, COLUMNS, " ".repeat(start.length));
}
