/** Where an approved plan stands, in one line. */
import { type Asked, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { progressOf } from "../../playbook/progress.ts";

/** Undefined where no plan is approved as it is: one that was closed, cancelled or changed is nothing to go on with. */
export function planLine(plan: Asked<PlanFound>): Text | undefined {
  const active = plan === NOT_ASKED ? undefined : (plan as PlanFound).active;
  if (active?.standing !== "approved") return undefined;
  const path = inline(active.path, 80);
  if (!active.playbook) return text(`The approved plan is ${path}: DECIDED.`, `承認された計画は ${path}: 決定済み。`);
  const { steps, current } = progressOf(active.playbook, active.work);
  const plain = steps.filter(({ step }) => !step.isFinal);
  const at = current ? plain.findIndex(({ step }) => step.id === current.step.id) + 1 : plain.length;
  const [box] = current?.step.subtasks.filter(({ mark }) => mark !== "done") ?? [];
  const next = inline(box?.criterion ?? current?.step.title ?? "", 120).replace(/[.。]$/, "");
  if (!current)
    return text(
      `The approved plan is ${path}: DECIDED, all ${plain.length} steps are done, next: \`sekisho playbook archive\`.`,
      `承認された計画は ${path}: 決定済み、全 ${plain.length} ステップ完了、次: \`sekisho playbook archive\`。`,
    );
  return text(
    `The approved plan is ${path}: DECIDED, step ${at} of ${plain.length}, next: ${next}.`,
    `承認された計画は ${path}: 決定済み、ステップ ${at}/${plain.length}、次: ${next}。`,
  );
}
