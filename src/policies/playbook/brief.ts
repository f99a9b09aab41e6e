/** What a critic or reviewer is told when it starts: criteria, files and commands. Never what the worker says of them. */
import type { Covered, PlanFound } from "../../kernel/facts.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import type { Playbook, Step } from "../../playbook/playbook.ts";
import { progressOf } from "../../playbook/progress.ts";
import { CRITERIA, WEAKEST } from "../../playbook/verdict-form.ts";
import type { Settings } from "../../state/settings/settings.ts";

/** The form of the last line, in backticks. */
export function formFor(of: "critic" | "reviewer", step: string | undefined, name = "NAME"): string {
  const what =
    of === "reviewer" ? `plan ${inline(name, 60)}` : step === undefined ? "plan" : `step ${inline(step, 20)}`;
  return `\`VERDICT: PASS ${what}\` (or FAIL)`;
}

/** One note per line, because a long note is cut. */
export function criticBrief(
  { active, root }: PlanFound,
  covered: Covered,
  critic: Settings["plan"]["critic"],
): readonly Text[] {
  if (!active?.playbook || active.standing !== "approved") return [];
  const { playbook, path, work } = active;
  const { current } = progressOf(playbook, work);
  // A short plan is judged once, as a whole.
  const step = critic === "step" ? current?.step : undefined;
  const boxes = step ? step.subtasks.flatMap(boxLines) : doneLines(playbook);
  const files = covered.files
    .filter(({ isThere, isJudged }) => isThere && !isJudged)
    .map((file) => inline(file.path, 120));
  const subject = step ? `step ${step.id} (${inline(step.title, 80)})` : "the whole plan";
  const shown = files.slice(0, FILES_SHOWN).map((file) => `- ${root}/${file}`);
  const more =
    files.length > FILES_SHOWN
      ? [`- and ${files.length - FILES_SHOWN} more: you are told which if you leave them out`]
      : [];
  return inLines(
    [
      `You judge ${subject} of ${inline(path, 120)}. The worker's report is no evidence.`,
      `Criteria, one line of yours for each: \`ID PASS – evidence\` or \`ID FAIL – reason\`.`,
      ...boxes,
      `Files that changed and that you must read, all of them (${files.length}):`,
      ...shown,
      ...more,
      `\`sekisho playbook check${step ? ` --step ${step.id}` : ""}\` runs the commands of the plan.`,
      `Last line: ${formFor("critic", step?.id)}. In doubt it is FAIL.`,
    ],
    [
      `${inline(path, 120)} の${step ? `ステップ ${step.id}` : "全体"}を判定してください。作業者の報告は証拠になりません。`,
      "条件ごとに一行ずつ、`ID PASS – 証拠` または `ID FAIL – 理由` と書いてください。",
      ...boxes,
      `変更されたファイルです。すべて読んでください (${files.length}):`,
      ...shown,
      ...more,
      `\`sekisho playbook check${step ? ` --step ${step.id}` : ""}\` は計画のコマンドを実行します。`,
      `最後の行: ${formFor("critic", step?.id)}。迷うときは FAIL です。`,
    ],
  );
}

function inLines(en: readonly string[], ja: readonly string[]): readonly Text[] {
  return en.map((line, at) => text(line, ja[at] ?? line));
}

const FILES_SHOWN = 30;

function boxLines({ id, criterion, proofs, optional }: Step["subtasks"][number]): readonly string[] {
  const runs = proofs.map(
    ({ run, expected }) => `  run: ${inline(run, 160)}${expected === undefined ? "" : ` → ${inline(expected, 60)}`}`,
  );
  return [`- ${id} ${inline(criterion, 160)}${optional ? " (optional)" : ""}`, ...runs];
}

function doneLines({ done, steps }: Playbook): readonly string[] {
  return [
    ...done.map(({ words }) => `- done when: ${inline(words, 160)}`),
    ...steps.filter(({ isFinal }) => !isFinal).map(({ id, title }) => `- ${id} ${inline(title, 120)}`),
  ];
}

export function reviewerBrief({ drafts, active }: PlanFound): readonly Text[] {
  const name = drafts[0] ?? active?.path.replace(/^.*\//, "").replace(/\.md$/, "");
  if (name === undefined) return [];
  const lines = [...CRITERIA, WEAKEST].map((one) => `- ${one}`);
  return inLines(
    [
      `If you are asked to review the plan ${inline(name, 60)} (.sekisho/playbooks/${inline(name, 60)}.md): read it, run \`sekisho playbook lint ${inline(name, 60)}\`,`,
      "go through it from the first step to the last, then try to break it. One line for each, `NAME: PASS – evidence` or FAIL; the last one in words:",
      ...lines,
      `.sekisho/frameworks/playbook-review-criteria.md has more questions, if it is there. Last line: ${formFor("reviewer", undefined, name)}.`,
    ],
    [
      `計画 ${inline(name, 60)} (.sekisho/playbooks/${inline(name, 60)}.md) のレビューを頼まれた場合: 読んで、\`sekisho playbook lint ${inline(name, 60)}\` を実行し、`,
      "最初から最後まで通して確かめ、壊し方を探してください。それぞれ一行で `名前: PASS – 証拠` または FAIL、最後のものは文で:",
      ...lines,
      `.sekisho/frameworks/playbook-review-criteria.md があれば、その問いにも答えてください。最後の行: ${formFor("reviewer", undefined, name)}。`,
    ],
  );
}
