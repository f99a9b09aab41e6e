import { type GateView, gateView, type RuleView } from "../views/gate.ts";
import { skillsOf } from "../world/skills.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { here, orFail } from "./here.ts";
import { CommandError, paint, say, sayJson, wrap } from "./print.ts";

export const gate = defineCommand({
  name: "gate",
  summary: "Shows what must be shown before what, and whether the newest session has shown it.",
  words: "status",
  wordsMax: 1,
  options: jsonOption,
  examples: ["sekisho gate status", "sekisho gate status --json"],
  run({ json = false }, [word = "status"]) {
    if (word !== "status")
      throw new CommandError(`there is no \`sekisho gate ${word}\`; it is \`sekisho gate status\`.`);
    const { places, settings, store } = here();
    const skills = skillsOf({ env: process.env, places, event: { cwd: process.cwd() } });
    const view = gateView({ settings, skills, state: orFail(store.read()), now: Date.now() });
    if (json) sayJson(view);
    else print(view);
    return 0;
  },
});

function print({ session, rules, problems }: GateView): void {
  if (rules.length === 0) {
    say("No rule about evidence is in force here.");
    say(paint.dim("`rules.code_skill` and its kin, or `gates.rules`, set some."));
  } else {
    say(paint.bold(session ? `Newest session ${session.id.slice(0, 36)}, ${session.lastSeen}` : "No session yet"));
  }
  for (const rule of rules) printRule(rule);
  // What the checks of the project stand at comes below the rules.
  for (const problem of problems) {
    say();
    say(`${paint.red("!")} ${wrap(problem, COLUMNS, "  ")}`);
  }
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

/** Whoever reads it, terminal or file, gets lines that fit side by side. */
function fitted(start: string, words: string): string {
  return start + wrap(words, COLUMNS, " ".repeat(start.length));
}
