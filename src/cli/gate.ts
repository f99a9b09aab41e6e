import { standingsOf } from "../kernel/verification.ts";
import { standingIn } from "../kernel/work-standing.ts";
import type { Need } from "../state/evidence-rules.ts";
import { bareName } from "../state/proof.ts";
import type { Session } from "../state/session.ts";
import { type GateView, gateView, type RuleView } from "../views/gate.ts";
import { skillsOf } from "../world/skills.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { here, orFail } from "./here.ts";
import { type SkillsLack, skillsLack } from "./own-skills.ts";
import { CommandError, paint, say, sayJson, sayWords, table, wrap } from "./print.ts";
import { workHere } from "./work-here.ts";

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
    const place = here();
    const { places, settings, store } = place;
    const skills = skillsOf({ env: process.env, places, event: { cwd: process.cwd() } });
    const { tree, known } = workHere();
    const { verify } = settings.settings;
    const person = known.person;
    const standing = (need: Need, session: Session) =>
      standingIn(session, undefined, { root: tree.root, person })(need);
    const view = gateView({ settings, skills, state: orFail(store.read()), now: known.now, standing });
    const checks = standingsOf(tree, known).map(({ check, standing: stands, command = "" }) => ({
      check,
      standing: stands,
      command,
    }));
    const isThere = skills.some((one) => bareName(one) === bareName(verify.skill));
    const instead = checks.length === 0 && isThere ? verify.skill : null;
    if (json) sayJson({ ...view, verification: { stop: verify.stop, tasks: verify.tasks, checks, skill: instead } });
    else print(view, { stop: verify.stop, checks, instead }, skillsLack(place));
    return 0;
  },
});

interface CheckRow {
  readonly check: string;
  readonly standing: string;
  readonly command: string;
}

interface EndOfTurn {
  readonly stop: string;
  readonly checks: readonly CheckRow[];
  /** The skill that stands in where no check is known. */
  readonly instead: string | null;
}

function print({ session, rules, problems }: GateView, end: EndOfTurn, lack: SkillsLack | undefined): void {
  if (rules.length === 0) {
    sayWords("No rule asks for evidence here. The profile praxis brings some; `gates.rules` holds your own.");
  } else {
    say(paint.bold(session ? `Newest session ${session.id.slice(0, 36)}, ${session.lastSeen}` : "No session yet"));
  }
  for (const rule of rules) printRule(rule);
  if (lack) {
    say();
    sayWords(`${paint.yellow("!")} ${lack.words}`, "  ");
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

/** Whoever reads it, terminal or file, gets lines that fit side by side. */
function fitted(start: string, words: string): string {
  return start + wrap(words, COLUMNS, " ".repeat(start.length));
}
