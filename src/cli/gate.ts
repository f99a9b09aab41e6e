import { standingsOf } from "../kernel/verification.ts";
import { standingIn } from "../kernel/work-standing.ts";
import type { Need } from "../state/evidence-rules.ts";
import type { Session } from "../state/session.ts";
import { type GateView, gateView, type RuleView } from "../views/gate.ts";
import { skillsOf } from "../world/skills.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { here, orFail } from "./here.ts";
import { CommandError, paint, say, sayJson, table, wrap } from "./print.ts";
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
    const { places, settings, store } = here();
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
    if (json) sayJson({ ...view, verification: { stop: verify.stop, tasks: verify.tasks, checks } });
    else print(view, verify.stop, checks);
    return 0;
  },
});

interface CheckRow {
  readonly check: string;
  readonly standing: string;
  readonly command: string;
}

function print({ session, rules, problems }: GateView, stop: string, checks: readonly CheckRow[]): void {
  if (rules.length === 0) {
    say("No rule about evidence is in force here.");
    say(paint.dim("`rules.code_skill` and its kin, or `gates.rules`, set some."));
  } else {
    say(paint.bold(session ? `Newest session ${session.id.slice(0, 36)}, ${session.lastSeen}` : "No session yet"));
  }
  for (const rule of rules) printRule(rule);
  printChecks(stop, checks);
  for (const problem of problems) {
    say();
    say(`${paint.red("!")} ${wrap(problem, COLUMNS, "  ")}`);
  }
}

function printChecks(stop: string, checks: readonly CheckRow[]): void {
  say();
  const words = { block: "held until they pass", warn: "told to the person", off: "not asked for" }[stop] ?? stop;
  say(`${paint.bold("At the end of a turn that changed code")}  ${words}`);
  if (checks.length === 0) say(paint.dim("  No check of this project is known; `verify.commands` names some."));
  else
    say(
      table(
        checks.map(({ check, standing, command }) => [checkMark(standing), check, standing, command]),
        "  ",
      ),
    );
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
