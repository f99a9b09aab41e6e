/** A plan as people see it: its steps with what is claimed, and what is wrong with it. */
import type { Language } from "../lib/text.ts";
import { type Claim, claimsIn } from "../playbook/claims.ts";
import { type LintOptions, lint, tokensOf } from "../playbook/lint/lint.ts";
import { RULES, type RuleName } from "../playbook/lint/rules.ts";
import type { Dialect, Playbook, Subtask } from "../playbook/playbook.ts";

export interface FindingView {
  readonly rule: RuleName;
  readonly severity: "error" | "warning";
  /** `file:line`. */
  readonly at: string;
  readonly id: string;
  readonly words: string | null;
  readonly says: string;
  readonly better: string;
}

export interface StepView {
  readonly id: string;
  readonly title: string;
  readonly boxes: number;
  /** Boxes that our own records prove. */
  readonly proven: number;
  /** Boxes that are ticked in the file, and that nothing proves. */
  readonly claimed: number;
  readonly status: string | null;
  readonly depends: readonly string[];
}

export interface PlaybookView {
  readonly path: string;
  readonly dialect: Dialect;
  readonly title: string;
  readonly what: string | null;
  readonly branch: string | null;
  readonly tokens: number;
  readonly boxes: number;
  readonly proven: number;
  readonly claimed: number;
  readonly standing: PlanStanding;
  readonly steps: readonly StepView[];
  /** What the file claims and no record shows. */
  readonly claims: readonly Claim[];
  readonly faults: Playbook["faults"];
}

/** `changed`: since it was approved, with the ids of what differs. */
export interface PlanStanding {
  readonly is: "draft" | "approved" | "at work" | "changed";
  readonly changed?: readonly string[];
}

interface Written {
  readonly path: string;
  readonly text: string;
  readonly playbook: Playbook;
}

export function playbookView(
  { path, text, playbook }: Written,
  standing: PlanStanding = { is: "draft" },
  isProven: (box: Subtask) => boolean = () => false,
): PlaybookView {
  const { dialect, title, what, branch, steps, faults } = playbook;
  const views = steps.map((step) => ({
    id: step.id,
    title: step.title,
    boxes: step.subtasks.length,
    proven: step.subtasks.filter(isProven).length,
    claimed: step.subtasks.filter((box) => box.mark === "done" && !isProven(box)).length,
    status: step.status ?? null,
    depends: step.depends,
  }));
  return {
    path,
    dialect,
    title,
    what: what ?? null,
    branch: branch ?? null,
    tokens: tokensOf(text.length),
    boxes: total(views.map(({ boxes }) => boxes)),
    proven: total(views.map(({ proven }) => proven)),
    claimed: total(views.map(({ claimed }) => claimed)),
    standing,
    steps: views,
    claims: claimsIn(playbook, isProven),
    faults,
  };
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

export function lintView(
  { path, text, playbook }: Written,
  language: Language,
  options: LintOptions,
): readonly FindingView[] {
  return lint(playbook, text.length, options).map(({ rule, line, id, words }) => {
    const { severity, says, better } = RULES[rule];
    return {
      rule,
      severity,
      at: `${path}:${line}`,
      id,
      words: words ?? null,
      says: says[language],
      better: better[language],
    };
  });
}
