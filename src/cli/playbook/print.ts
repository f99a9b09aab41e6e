/** How a plan is printed. On a terminal every line keeps within its width. */
import type { BoxResult, CheckProgress, PlaybookChecked } from "../../app/actions/playbook-check.ts";
import type { Language } from "../../lib/text.ts";
import type { ImportNote } from "../../playbook/import.ts";
import type { Size } from "../../playbook/ladder.ts";
import { type FindingView, faultWords, type PlaybookView, type StepView } from "../../views/playbook.ts";
import { clip, paint, say, sayCaution, sayDone, sayWords, table, terminalColumns, width } from "../print.ts";
import { CHECK, CLAIM, IMPORT_NOTE, LINT, NEEDS, SIZE, STANDING, STATUS, STEP, WEIGHT } from "./words.ts";

const BAR = 10;

/** A paragraph that is indented as a whole. */
function sayIn(indent: string, words: string): void {
  sayWords(`${indent}${words}`, indent);
}

export function printPlaybook(view: PlaybookView, language: Language): void {
  const { path, title, what, branch, tokens, boxes, proven, claimed, standing, steps, claims, faults, review } = view;
  const progress = `${bar(proven, claimed, boxes)} ${STATUS.progress(proven, boxes, claimed)[language]}`;
  const line = `${paint.bold(title || path)}  ${progress}`;
  if (fits(line)) say(line);
  else {
    sayWords(paint.bold(title || path));
    sayIn("  ", progress);
  }
  if (what !== null) sayIn("  ", what);
  const changed = standing.changed ? `: ${standing.changed.join(", ")}` : "";
  sayIn("  ", `${STANDING_COLOUR[standing.is](STANDING[standing.is][language])}${changed}`);
  if (review) {
    const { fresh, verdict } = review;
    sayIn("  ", fresh ? STATUS.reviewed(verdict)[language] : paint.yellow(STATUS.reviewedOther[language]));
  }
  const place = [path, branch, STATUS.tokens(tokens)[language]].filter((part) => part !== null).join(" · ");
  sayIn("  ", paint.dim(place));
  for (const fault of faults) sayCaution(`${path}:${fault.line}: ${faultWords(fault, language)}`);
  for (const { id, line: at } of view.unboxed) sayCaution(`${path}:${at}: ${STATUS.unboxed(id)[language]}`);
  say();
  printSteps(steps, language);
  printClaims(path, claims, language);
  const current = steps.find((step) => step.current && step.is === "open");
  if (current && boxes > 0 && proven === boxes) {
    say();
    sayIn("  ", paint.dim(STATUS.said(current.id)[language]));
  }
  say();
}

function fits(line: string): boolean {
  return !process.stdout.isTTY || width(line) <= terminalColumns();
}

const STANDING_COLOUR = {
  draft: paint.dim,
  approved: paint.green,
  "set aside": paint.dim,
  "at work": paint.green,
  changed: paint.yellow,
} as const;

/** What a step waits for, and what was said of it, stand below it: they may be long. */
function printSteps(steps: readonly StepView[], language: Language): void {
  const rows = steps.map((step) => stepRow(step, language));
  const others = (row: readonly string[]): number =>
    row.reduce((sum, cell, at) => sum + (at === 1 ? 2 : width(cell) + 2), 0);
  const room = Math.max(12, terminalColumns() - Math.max(0, ...rows.map(others)));
  const cut = rows.map((row) => row.map((cell, at) => (at === 1 && process.stdout.isTTY ? clip(cell, room) : cell)));
  const lines = rows.length === 0 ? [] : table(cut, "  ").split("\n");
  for (const [at, { depends, said }] of steps.entries()) {
    say(lines[at]);
    const after = depends.length > 0 ? STATUS.after(depends)[language] : null;
    const note = [after, said].filter((part) => part !== null).join(" · ");
    if (note !== "") sayIn("      ", paint.dim(note));
  }
}

function stepRow({ id, title, boxes, proven, claimed, is, current }: StepView, language: Language): readonly string[] {
  const word = STEP[is][language];
  return [
    `${current ? paint.bold("▶") : " "} ${STEPS[is]} ${paint.bold(id)}`,
    title,
    bar(proven, claimed, boxes),
    `${proven}/${boxes}`,
    is === "claimed" ? paint.yellow(word) : paint.dim(word),
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
  const size = (count: number): number => (all === 0 ? 0 : Math.floor((count / all) * BAR));
  const [full, hatched] = [size(proven), size(proven + claimed) - size(proven)];
  return (
    paint.green("█".repeat(full)) + paint.yellow("▒".repeat(hatched)) + paint.dim("·".repeat(BAR - full - hatched))
  );
}

type Claims = PlaybookView["claims"];

/** Ticks are counted; what contradicts itself is listed line by line. */
function printClaims(path: string, claims: Claims, language: Language): void {
  if (claims.length === 0) return;
  const ticks = claims.filter(({ kind }) => kind === "ticked").length;
  say();
  listClaims(claims, (line) => `${path}:${line}`, language);
  if (ticks > 0) sayIn("  ", STATUS.ticks(ticks)[language]);
}

function listClaims(claims: Claims, at: (line: number) => string, language: Language): void {
  for (const { kind, id, line, count } of claims.filter((claim) => claim.kind !== "ticked"))
    sayWords(`  ${paint.red("✘")} ${at(line)}  ${id} ${CLAIM[kind](count)[language]}`, "    ");
}

export function printFindings(path: string, findings: readonly FindingView[], language: Language): void {
  if (findings.length === 0) {
    sayDone(LINT.clean(path)[language]);
    return;
  }
  for (const { at, id, rule, severity, words, says, better } of findings) {
    const mark = severity === "error" ? paint.red("✘") : paint.yellow("!");
    sayWords(`${mark} ${paint.bold(at)}  ${[id, paint.dim(rule)].filter((part) => part !== "").join(" ")}`, "  ");
    if (words !== null) sayIn("    ", paint.dim(words.split("\n")[0] ?? ""));
    sayIn("    ", says);
    sayIn("    ", `→ ${better}`);
  }
  const errors = findings.filter(({ severity }) => severity === "error").length;
  say();
  sayWords(LINT.summary(errors, findings.length - errors)[language]);
}

export function sayNotes(path: string, notes: readonly ImportNote[], claims: Claims, language: Language): void {
  sayDone(path);
  for (const { kind, count } of notes) sayCaution(IMPORT_NOTE[kind](count)[language]);
  listClaims(claims, (line) => (language === "ja" ? `${line} 行目` : `line ${line}`), language);
}

export function printSize({ tier, files, lines, weighty }: Size, language: Language): void {
  sayWords(`${paint.bold(tier)}  ${SIZE.counts(files.length, lines)[language]}: ${NEEDS[tier][language]}`, "   ");
  for (const { path, why } of weighty) sayIn("  ", `${path}  ${paint.dim(WEIGHT[why][language])}`);
  sayIn("  ", paint.dim(SIZE.apart[language]));
}

export function progressIn(language: Language): CheckProgress {
  return {
    begins({ id, criterion, proofs }, { at, of }) {
      if (proofs.length > 0) sayWords(`${paint.bold(`[${at}/${of}] ${id}`)}  ${criterion}`, "  ");
    },
    ends(result) {
      if (result.outcome !== "none") sayIn("  ", resultLine(result, language));
    },
  };
}

function resultLine({ outcome, detail, ms, as }: BoxResult, language: Language): string {
  const time = paint.dim(as === null ? `${(ms / 1000).toFixed(1)} s` : CHECK.shared(as)[language]);
  const words = CHECK.outcome[outcome][language];
  return outcome === "passed"
    ? `${paint.green(`✔ ${words}`)}  ${time}`
    : `${paint.red(`✘ ${words}`)}  ${detail}  ${time}`;
}

export function printChecked({ path, results, hasChanged }: PlaybookChecked, language: Language): void {
  const proven = results.filter(({ outcome }) => outcome === "passed").length;
  const without = results.filter(({ outcome }) => outcome === "none").length;
  say();
  if (hasChanged) sayCaution(CHECK.changed[language]);
  sayWords(CHECK.total(path, proven, results.length, without)[language]);
}
