/** How pipelines are printed. On a terminal every line keeps within its width. */
import type { Choice } from "../../app/queries/pipelines/tier-choice.ts";
import type { Language } from "../../lib/text.ts";
import type { BudgetView, PipelineRow, PlanStepView, PlanView, ProblemView } from "../../views/pipeline.ts";
import { paint, say, sayWords, table } from "../print.ts";
import { CHECKED, LIST, PLAN } from "./words.ts";

export function printList(rows: readonly PipelineRow[], language: Language): void {
  for (const row of rows) {
    const { name, description, tiers, errors, shadowed, origin, file } = row;
    const state = errors > 0 ? `  ${paint.red(LIST.broken(errors)[language])}` : "";
    say(`${shadowed ? paint.dim(name) : paint.bold(name)}  ${tiers.map((tier) => tier.name).join(" ")}${state}`);
    if (shadowed) sayWords(`  ${paint.dim(LIST.shadowed[language])}`, "  ");
    else if (description !== "") sayWords(`  ${description}`, "  ");
    sayWords(`  ${paint.dim(`${file} · ${LIST.origin[origin]?.[language] ?? origin}`)}`, "  ");
  }
  if (rows.length === 0) sayWords(CHECKED.none[language]);
}

const SHOWN_MAX = 50;

export function printProblems(problems: readonly ProblemView[], language: Language): void {
  for (const { severity, at, says, better } of problems.slice(0, SHOWN_MAX)) {
    const label = severity === "error" ? paint.red("error") : paint.yellow("warning");
    sayWords(`${at}  ${label}  ${says}`, "  ");
    sayWords(`  ${paint.dim(better)}`, "  ");
  }
  if (problems.length > SHOWN_MAX) sayWords(CHECKED.more(problems.length - SHOWN_MAX)[language]);
}

export function printPlan(view: PlanView, by: Choice["by"], language: Language): void {
  sayWords(`${paint.bold(view.pipeline)}  ${view.tier} ${paint.dim(`(${PLAN.by_size[by][language]})`)}`);
  const rows = view.steps.map((step, at) => [
    `  ${String(at + 1).padStart(2)}`,
    step.id,
    whoOf(step, language),
    notesOf(step, language),
  ]);
  say(table(rows));
  say();
  const parts = budgetParts(view.budget);
  sayWords(`  ${PLAN.retries(view.max_total_retries)[language]}`, "  ");
  sayWords(`  ${(parts.length > 0 ? PLAN.budget(parts.join(", ")) : PLAN.noBudget)[language]}`, "  ");
  sayWords(`  ${paint.dim(PLAN.nothingRan[language])}`, "  ");
}

function whoOf({ by, models }: PlanStepView, language: Language): string {
  return models.length > 0 ? models.join(" > ") : PLAN.by[by][language];
}

function notesOf({ by, tries, optional, when, budget }: PlanStepView, language: Language): string {
  const notes = [
    ...(by === "verdict" ? [PLAN.by.verdict[language]] : []),
    ...(tries > 1 ? [PLAN.tries(tries)[language]] : []),
    ...(optional ? [PLAN.optional[language]] : []),
    ...(when === null ? [] : [PLAN.when(when)[language]]),
    ...budgetParts(budget),
  ];
  return notes.join(", ");
}

function budgetParts({ max_usd, max_tokens, max_agents, max_runtime_seconds }: BudgetView): readonly string[] {
  return [
    ...(max_usd === null ? [] : [`$${max_usd}`]),
    ...(max_tokens === null ? [] : [`${max_tokens} tokens`]),
    ...(max_agents === null ? [] : [`${max_agents} agents`]),
    ...(max_runtime_seconds === null ? [] : [`${max_runtime_seconds} s`]),
  ];
}
