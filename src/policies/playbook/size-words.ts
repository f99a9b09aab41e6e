/** How a change that has outgrown its plan is refused. */
import type { PlanFound } from "../../kernel/facts.ts";
import { deny, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import type { Size, Weight } from "../../playbook/ladder.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { nameOf, nextStep, whatIs } from "./plan-gate.ts";

export function tooLarge(size: Size, hasLines: boolean, plan: PlanFound, settings: Settings["plan"]): Ruling {
  const standing = plan.active?.standing;
  const isBroken = standing !== undefined && standing !== "approved";
  const numbers = numbersOf(size, hasLines);
  const reason = isBroken ? whatIs(plan) : limitOf(size, plan, settings);
  return deny({
    what: text(`${numbers.en} ${reason.en}`, `${numbers.ja}${reason.ja}`),
    fix: isBroken || (!plan.active && plan.drafts.length > 0) ? withSkip(nextStep(plan)) : growFirst(plan),
  });
}

/** `4 files, 61 lines since the request.` */
export function numbersOf({ files, lines }: Size, hasLines = true): Text {
  const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const more = hasLines ? [`, ${many(lines, "line")}`, `・${lines} 行`] : ["", ""];
  return text(
    `${many(files.length, "file")}${more[0]} since the request.`,
    `依頼以降の変更は ${files.length} ファイル${more[1]}です。`,
  );
}

function limitOf({ tier, weighty, files }: Size, { active }: PlanFound, { s_files, m_files }: Settings["plan"]): Text {
  const [first] = weighty;
  if (tier === "L" && active) {
    const path = inline(active.path, 80);
    return text(
      `The short plan ${path} covers up to ${m_files} files.`,
      `短い計画 ${path} で変更できるのは ${m_files} ファイルまでです。`,
    );
  }
  if (first && files.length <= s_files) {
    const [path, why] = [inline(first.path, 80), WEIGHTS[first.why]];
    return text(`${path} ${why.en}, so it needs a plan.`, `${path} は${why.ja}なので、計画が必要です。`);
  }
  return text(`Up to ${s_files} files need no plan.`, `計画なしで変更できるのは ${s_files} ファイルまでです。`);
}

const WEIGHTS: Readonly<Record<Weight, Text>> = {
  dependencies: text("names dependencies", "依存関係を定めるファイル"),
  ci: text("runs in continuous integration", "CI で動くファイル"),
  schema: text("is a schema, interface or migration", "スキーマ・インターフェース・移行のファイル"),
  protected: text("is protected", "保護されたファイル"),
};

function growFirst({ active }: PlanFound): Text {
  if (active) {
    const name = nameOf(active.path);
    return text(
      `Bring the plan up to date, then ask the person with a question whose options are \`approve ${name}\` and \`skip the plan\`.`,
      `計画を最新にし、選択肢を \`approve ${name}\` と \`skip the plan\` とした質問で利用者に尋ねてください。`,
    );
  }
  return text(
    "`sekisho playbook grow NAME` drafts a plan from what was done: complete it and run `sekisho playbook lint NAME`. Then ask the person with a question whose options are `approve NAME` and `skip the plan`.",
    "`sekisho playbook grow NAME` で、これまでの作業から計画の下書きを作れます。補って `sekisho playbook lint NAME` を実行し、選択肢を `approve NAME` と `skip the plan` とした質問で利用者に尋ねてください。",
  );
}

function withSkip({ en, ja }: Text): Text {
  return text(
    `${en} A second option may be \`skip the plan\`.`,
    `${ja}もう一つの選択肢は \`skip the plan\` にできます。`,
  );
}
