/** How a plan is printed. */
import type { BoxResult, CheckProgress, PlaybookChecked } from "../../app/actions/playbook-check.ts";
import type { ImportNote } from "../../playbook/import.ts";
import type { Size, Tier, Weight } from "../../playbook/ladder.ts";
import type { FindingView, PlaybookView, StepView } from "../../views/playbook.ts";
import { paint, say, sayCaution, sayDone, sayWords, table } from "../print.ts";

const BAR = 10;

export function printPlaybook({
  path,
  title,
  what,
  branch,
  tokens,
  boxes,
  proven,
  claimed,
  standing,
  steps,
  claims,
  faults,
  review,
}: PlaybookView): void {
  say(`${paint.bold(title || path)}  ${bar(proven, claimed, boxes)} ${proven} of ${boxes} proven, ${claimed} claimed`);
  if (what !== null) sayWords(what, "  ");
  say(`  ${STANDINGS[standing.is]}${standing.changed ? `: ${standing.changed.join(", ")}` : ""}`);
  if (review) say(`  ${review.fresh ? `reviewer: ${review.verdict}` : paint.yellow("reviewed in other words")}`);
  say(paint.dim(`  ${[path, branch, `about ${tokens} tokens`].filter((part) => part !== null).join(" · ")}`));
  for (const { kind, line } of faults) sayCaution(`${path}:${line}: ${FAULTS[kind]}`);
  say();
  say(table(steps.map(stepRow), "  "));
  printClaims(path, claims);
  say();
}

const STANDINGS = {
  draft: paint.dim("not approved"),
  approved: paint.green("approved, not begun"),
  "set aside": paint.dim("approved; another plan is the active one"),
  "at work": paint.green("at work"),
  changed: paint.yellow("changed since it was approved"),
} as const;

const FAULTS = {
  conflict: "a merge conflict is left in the file.",
  fence: "a code block is not closed, so the rest is not read.",
  empty: "there are no steps.",
  "too-long": "the file is too long to be a plan.",
  unreadable: "it is not a plain file, or cannot be read.",
} as const;

function stepRow({ id, title, boxes, proven, claimed, depends, is, current, said }: StepView): readonly string[] {
  const after = depends.length > 0 ? `after ${depends.join(", ")}` : "";
  return [
    `${current ? paint.bold("▶") : " "} ${STEPS[is]} ${paint.bold(id)}`,
    title,
    bar(proven, claimed, boxes),
    `${proven}/${boxes}`,
    is === "claimed" ? paint.yellow("claimed") : paint.dim(is),
    paint.dim([after, said].filter((part) => part !== null && part !== "").join(" · ")),
  ];
}

const STEPS = {
  open: paint.dim("○"),
  claimed: paint.yellow("◐"),
  passed: paint.green("●"),
  deferred: paint.dim("◌"),
} as const;

/** Proven boxes are full, claimed ones hatched. */
function bar(proven: number, claimed: number, all: number): string {
  const width = (count: number): number => (all === 0 ? 0 : Math.floor((count / all) * BAR));
  const [full, hatched] = [width(proven), width(proven + claimed) - width(proven)];
  return (
    paint.green("█".repeat(full)) + paint.yellow("▒".repeat(hatched)) + paint.dim("·".repeat(BAR - full - hatched))
  );
}

type Claims = PlaybookView["claims"];

const CLAIMS: Readonly<Record<Claims[number]["kind"], (count: number) => string>> = {
  "open-boxes": (count) => `is marked done with ${count} open ${count === 1 ? "box" : "boxes"}`,
  "open-final": (count) => `is marked done, but ${count} final ${count === 1 ? "task is" : "tasks are"} open`,
  "no-evidence": (count) => `has ${count} PASS without evidence`,
  "not-passed": (count) => `is ticked, but ${count} of its validations did not pass`,
  ticked: () => "is ticked, and no command of ours has proven it",
};

/** Ticks are counted; what contradicts itself is listed line by line. */
function printClaims(path: string, claims: Claims): void {
  if (claims.length === 0) return;
  const ticks = claims.filter(({ kind }) => kind === "ticked");
  const listed = claims.filter(({ kind }) => kind !== "ticked");
  say();
  for (const { kind, id, line, count } of listed)
    say(`  ${paint.red("✘")} ${path}:${line}  ${id} ${CLAIMS[kind](count)}`);
  if (ticks.length > 0)
    sayWords(
      `${ticks.length === 1 ? "1 tick is a claim" : `${ticks.length} ticks are claims`}: nothing here proves ${ticks.length === 1 ? "it" : "them"}.`,
      "  ",
    );
}

export function printFindings(path: string, findings: readonly FindingView[]): void {
  if (findings.length === 0) {
    sayDone(`${path}: nothing to object to.`);
    return;
  }
  for (const { at, id, rule, severity, words, says, better } of findings) {
    say(`${severity === "error" ? paint.red("✘") : paint.yellow("!")} ${paint.bold(at)}  ${id} ${paint.dim(rule)}`);
    if (words !== null) say(paint.dim(`    ${words.split("\n")[0]}`));
    sayWords(says, "    ");
    sayWords(`→ ${better}`, "    ");
  }
  const errors = findings.filter(({ severity }) => severity === "error").length;
  say();
  sayWords(`${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}.`);
}

export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

const NOTES: Readonly<Record<ImportNote["kind"], (count: number) => string>> = {
  rewritten: (count) =>
    `${counted(count, "command")} ended in \`&& echo …\` and could not fail. Only the command itself was kept.`,
  unticked: (count) =>
    `${count} ticked ${count === 1 ? "box is" : "boxes are"} open again: nothing here proves what it says.`,
};

export function sayNotes(path: string, notes: readonly ImportNote[], claims: Claims): void {
  sayDone(path);
  for (const { kind, count } of notes) sayCaution(NOTES[kind](count));
  for (const { kind, id, line, count } of claims.filter((claim) => claim.kind !== "ticked")) {
    say(`  ${paint.red("✘")} line ${line}  ${id} ${CLAIMS[kind](count)}`);
  }
}

const NEEDS: Readonly<Record<Tier, string>> = {
  free: "no plan, no ceremony",
  S: "one passing command",
  M: "a short plan, approved once, and a critic at the end",
  L: "a plan with reviewer, approval and branch, and a critic per step",
};

const WEIGHTS: Readonly<Record<Weight, string>> = {
  dependencies: "dependencies",
  ci: "continuous integration",
  schema: "a schema, interface or migration",
  protected: "a protected file",
};

export function printSize({ tier, files, lines, weighty }: Size): void {
  say(`${paint.bold(tier)}  ${counted(files.length, "file")}, ${counted(lines, "line")} that count: ${NEEDS[tier]}`);
  for (const { path, why } of weighty) say(`  ${path}  ${paint.dim(WEIGHTS[why])}`);
  say(paint.dim("  Documents, comments, formatting, lock files and build output do not count."));
}

export const PROGRESS: CheckProgress = {
  begins({ id, criterion, proofs }, { at, of }) {
    if (proofs.length > 0) say(`${paint.bold(`[${at}/${of}] ${id}`)}  ${criterion}`);
  },
  ends(result) {
    if (result.outcome !== "none") say(`  ${resultLine(result)}`);
  },
};

function resultLine({ outcome, detail, ms }: BoxResult): string {
  const time = paint.dim(`${(ms / 1000).toFixed(1)} s`);
  if (outcome === "passed") return `${paint.green("✔ proven")}  ${time}`;
  const words = { failed: "not proven", refused: "not run", unsound: "not run", none: "no command" }[outcome];
  return `${paint.red(`✘ ${words}`)}  ${detail}  ${time}`;
}

export function printChecked({ path, results, hasChanged }: PlaybookChecked): void {
  const proven = results.filter(({ outcome }) => outcome === "passed").length;
  const without = results.filter(({ outcome }) => outcome === "none").length;
  say();
  if (hasChanged) sayCaution("Files changed while the commands ran, so nothing was recorded. Run it again.");
  sayWords(`${path}: ${proven} of ${results.length} proven${without > 0 ? `, ${without} without a command` : ""}.`);
}
