/** A plan as people see it: its steps with what is claimed, and what is wrong with it. */
import { type Language, type Text, text } from "../lib/text.ts";
import { type Claim, claimsIn } from "../playbook/claims.ts";
import { digestOf } from "../playbook/identity.ts";
import { type LintOptions, lint, tokensOf } from "../playbook/lint/lint.ts";
import { RULES, type RuleName } from "../playbook/lint/rules.ts";
import type { Dialect, Playbook, Subtask } from "../playbook/playbook.ts";
import { progressOf, type StepStanding } from "../playbook/progress.ts";
import type { PlanVerdict, PlanWork } from "../state/plan-work.ts";

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
  /** By our records: `claimed` is only what the worker says. */
  readonly is: StepStanding["is"];
  readonly current: boolean;
  /** FAILs of the critic. */
  readonly attempts: number;
  /** The critic's last word: "PASS: read 3 of 3 changed files, ran 1 command". */
  readonly said: string | null;
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
  /** Headings that look like steps and are none. */
  readonly unboxed: NonNullable<Playbook["unboxed"]>;
  /** `fresh`: for the plan as it is now. */
  readonly review: { readonly verdict: string; readonly at: number; readonly fresh: boolean } | null;
  /** When and where the work began. */
  readonly begun: { readonly at: number; readonly branch: string | null } | null;
}

/**
 * `set aside`: approved, and another plan was approved after it. `at work`: approved and begun. `changed`: since it was
 * approved, with the ids of what differs.
 */
export interface PlanStanding {
  readonly is: "draft" | "approved" | "set aside" | "at work" | "changed";
  readonly changed?: readonly string[];
}

interface Written {
  readonly path: string;
  readonly text: string;
  readonly playbook: Playbook;
}

export function playbookView(
  { path, text: written, playbook }: Written,
  standing: PlanStanding = { is: "draft" },
  isProven: (box: Subtask) => boolean = () => false,
  { work, review, language = "en" }: AtWork = {},
): PlaybookView {
  const { dialect, title, what, branch, faults } = playbook;
  const progress = progressOf(playbook, work);
  const views = progress.steps.map(({ step, is, attempts }) => ({
    id: step.id,
    title: step.title,
    boxes: step.subtasks.length,
    proven: step.subtasks.filter(isProven).length,
    claimed: step.subtasks.filter((box) => box.mark === "done" && !isProven(box)).length,
    status: step.status ?? null,
    depends: step.depends,
    is,
    current: work !== undefined && progress.current?.step.id === step.id,
    attempts,
    said: lastSaid(work, step.id, language),
  }));
  return {
    path,
    dialect,
    title,
    what: what ?? null,
    branch: branch ?? null,
    tokens: tokensOf(written.length),
    boxes: total(views.map(({ boxes }) => boxes)),
    proven: total(views.map(({ proven }) => proven)),
    claimed: total(views.map(({ claimed }) => claimed)),
    standing,
    steps: views,
    claims: claimsIn(playbook, isProven),
    faults,
    unboxed: playbook.unboxed ?? [],
    review: review ? { verdict: review.verdict, at: review.at, fresh: review.plan === digestOf(playbook) } : null,
    begun: work ? { at: work.at, branch: work.branch ?? null } : null,
  };
}

/** What the records say about the work by a plan. */
export interface AtWork {
  readonly work?: PlanWork | undefined;
  readonly review?: PlanVerdict | undefined;
  readonly language?: Language;
}

function lastSaid(work: PlanWork | undefined, id: string, language: Language): string | null {
  const last = work?.verdicts.findLast(({ step }) => step === id);
  return last ? saidWords(last)[language] : null;
}

/** "PASS: read 3 of 11 changed files, ran 1 command". */
function saidWords({ verdict, of, covered, read, ran }: PlanVerdict): Text {
  if (of === "person") return text("done: a person said so", "完了: 人の判断です");
  const commands = `ran ${ran} ${ran === 1 ? "command" : "commands"}`;
  return text(
    `${verdict}: read ${read} of ${covered} changed ${covered === 1 ? "file" : "files"}, ${commands}`,
    `${verdict}: 変更された ${covered} ファイル中 ${read} を読み、コマンドを ${ran} 回実行しました`,
  );
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Why a file cannot be read as a plan. */
export function faultWords({ kind }: Playbook["faults"][number], language: Language): string {
  return RULES[kind].says[language];
}

export function lintView(
  { path, text: written, playbook }: Written,
  language: Language,
  options: LintOptions,
): readonly FindingView[] {
  return lint(playbook, written.length, options).map(({ rule, line, id, words, word = "" }) => {
    const { severity, says, better } = RULES[rule];
    return {
      rule,
      severity,
      at: `${path}:${line}`,
      id,
      words: words ?? null,
      says: says[language].replace("{word}", () => word),
      better: better[language],
    };
  });
}
