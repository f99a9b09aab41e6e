import { acceptContractHere, examineHere, repairHere } from "../app/doctor/doctor.ts";
import { Problem } from "../app/problem.ts";
import type { CheckState, CheckView, DoctorView } from "../views/doctor.ts";
import type { Figure, Spread } from "../views/latency.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { clip, paint, say, sayJson, sayPart, table, terminalColumns, width, wrap } from "./print.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Finds out whether the checkpoint works here, proves it, and explains what does not.",
  options: {
    fix: { type: "boolean", about: "repair what can be repaired safely (people only)" },
    integrity: {
      type: "boolean",
      about: "also check the journal's seals, and the contract files against what was accepted",
    },
    accept: { type: "boolean", about: "with --integrity: take the contract files as they are for right (people only)" },
    "no-client": { type: "boolean", about: "do not start the real client" },
    quick: { type: "boolean", about: "leave out what takes seconds: the measuring and the real client" },
    ...jsonOption,
  },
  examples: ["sekisho doctor", "sekisho doctor --fix", "sekisho doctor --integrity --accept"],
  door({ fix, accept }) {
    if (!fix && !accept) return undefined;
    return { verb: accept ? "doctor --accept" : "doctor --fix", need: "authority" };
  },
  async run({ fix, integrity, accept, "no-client": noHost, quick, json }, _, person) {
    if (accept && !integrity) throw new Problem("--accept goes with --integrity. See `sekisho doctor --help`.");
    const wants = {
      host: noHost !== true && quick !== true,
      measuring: quick !== true,
      integrity: integrity === true,
    };
    if (accept) acceptContractHere(wants, person);
    const repaired = fix ? await repairHere(wants) : [];
    const view = await examineHere(wants, repaired);
    if (json) sayJson(view);
    else print(view);
    return view.exitCode;
  },
});

const MARKS: Readonly<Record<CheckState, string>> = { ok: "✔", warn: "!", fail: "✖", skip: "-" };

function mark(state: CheckState): string {
  const paints = { ok: paint.green, warn: paint.yellow, fail: paint.red, skip: paint.dim };
  return paints[state](MARKS[state]);
}

function print(view: DoctorView): void {
  say(`${paint.bold("sekisho doctor")} ${view.version}   ${view.project}`);
  say();
  const titles = Math.max(...view.checks.map(({ title }) => width(title)));
  // One line each; the whole is told below.
  const room = Math.max(20, terminalColumns() - titles - 5);
  say(table(view.checks.map(({ state, title, what }) => [mark(state), title, clip(what, room)])));
  for (const check of view.checks) printFigures(check.figures ?? []);
  for (const check of view.checks) if (check.state === "warn" || check.state === "fail") printFinding(check);
  if (view.repaired.length > 0) say();
  for (const { ok, words } of view.repaired) {
    say(`${mark(ok ? "ok" : "fail")} ${ok ? "repaired" : "not repaired"}: ${wrap(words, terminalColumns(), "  ")}`);
  }
  say();
  say(view.summary);
}

function printFinding({ state, title, what, why = "", fix = "", canFix }: CheckView): void {
  say();
  say(`${mark(state)} ${paint.bold(title)}`);
  sayPart("what", what);
  sayPart("why", why);
  sayPart("to do", canFix ? `${fix} (--fix does this)` : fix);
}

function printFigures(figures: readonly Figure[]): void {
  if (figures.length === 0) return;
  const head = ["HOOK", "  RUNS", "P50 MS", "P95 MS", "INSIDE", "P50 MS", "P95 MS"].map((cell) => paint.dim(cell));
  const rows = figures.map(({ hook, measured, journal }) => [hook, ...cells(measured), ...cells(journal)]);
  say();
  say(table([head, ...rows], "   "));
}

function cells(spread: Spread | undefined): readonly string[] {
  const numbers = spread ? [String(spread.runs), spread.p50.toFixed(1), spread.p95.toFixed(1)] : ["-", "-", "-"];
  return numbers.map((number) => number.padStart(6));
}
