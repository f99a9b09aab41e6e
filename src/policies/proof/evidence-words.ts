/** Says which evidence is missing and how to provide it. */
import type { Unmet } from "../../evidence/evidence-rule.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { endingOf } from "../../reading/operation/file-kind.ts";

export function whatFor(unmet: readonly Unmet[]): Text {
  return joined(unmet.map(whatIs));
}

export function fixFor(unmet: readonly Unmet[], isSubagent: boolean): Text {
  return joined([...unmet.map(todo), ...(isSubagent && unmet.some(isSkill) ? [BY_MAIN] : [])]);
}

export function noteFor(unmet: Unmet, isSubagent: boolean): Text {
  return joined([text("Sekisho:", "関所:"), whatIs(unmet), fixFor([unmet], isSubagent)]);
}

function joined(texts: readonly Text[]): Text {
  const unique = texts.filter((one, at) => texts.findIndex(({ en }) => en === one.en) === at);
  return text(unique.map(({ en }) => en).join(" "), unique.map(({ ja }) => ja).join(""));
}

function isSkill({ rule }: Unmet): boolean {
  return rule.need.evidence === "skill";
}

function whatIs({ rule, file, why }: Unmet): Text {
  const name = inline(file?.spelled ?? "", 80);
  const ending = file?.kind === "other" ? "" : endingOf(file?.path ?? "");
  const about = ending === "" ? name : `${name} (.${inline(ending, 20)})`;
  const { en, ja } = WHY[why];
  const { en: thing, ja: mono } = thingOf(rule.need);
  if (rule.when.event !== "PreToolUse") {
    const end =
      rule.when.event === "Stop"
        ? text("the turn ends", "ターンを終える")
        : text("a task is completed", "タスクを完了にする");
    return text(
      `Rule ${rule.name}: before ${end.en}, ${thing} ${en}.`,
      `ルール ${rule.name}: ${end.ja}前に、${mono}${ja}。`,
    );
  }
  return text(
    `Rule ${rule.name}: before ${about} is changed, ${thing} ${en}.`,
    `ルール ${rule.name}: ${about} を変更する前に、${mono}${ja}。`,
  );
}

const WHY: Readonly<Record<Unmet["why"], Text>> = {
  missing: text("is needed and has not been seen in this session", "が必要ですが、このセッションではまだです"),
  failed: text("is needed, and the last one said no", "が必要ですが、前回は不合格でした"),
  stale: text("is needed anew: the last one is too old", "が改めて必要です (前回のものは古くなりました)"),
  partial: text("is needed whole: the last one covered only a part", "が全体について必要です (前回は一部だけでした)"),
  "other-agent": text(
    "is needed here: only another agent has taken it up",
    "が必要ですが、別のエージェントしか使っていません",
  ),
};

function thingOf({ evidence, of = "" }: Unmet["rule"]["need"]): Text {
  const name = inline(of, 80);
  switch (evidence) {
    case "skill":
      return text(`the skill ${name}`, `スキル ${name} `);
    case "read":
      return text("reading it", "その内容を読むこと");
    case "verdict":
      return text(`a passing review by ${name}`, `${name} による合格のレビュー`);
    case "approval":
      return text(`a person's approval of ${name}`, `利用者による ${name} の承認`);
    case "command":
      return text(`a passed check (${name})`, `チェック (${name}) の合格`);
    case "change":
      return text(`a change of ${name}`, `${name} の変更`);
    case "marker":
      return text(`the marker ${name}`, `マーカー ${name} `);
  }
}

function todo({ rule: { need }, file }: Unmet): Text {
  const name = inline(need.of ?? "", 80);
  switch (need.evidence) {
    case "skill":
      return text(
        `Invoke the skill ${name} (Skill tool), then do this again.`,
        `スキル ${name} を Skill ツールで呼び出してから、やり直してください。`,
      );
    case "read": {
      const path = inline(file?.spelled ?? "", 80);
      return text(
        `Read ${path} with the Read tool, then do this again.`,
        `Read ツールで ${path} を読んでから、やり直してください。`,
      );
    }
    case "verdict":
      return text(
        `Let the subagent ${name} review the work; it must look for itself and end with the line \`VERDICT: PASS\` or \`VERDICT: FAIL\`.`,
        `サブエージェント ${name} にレビューさせてください。自分で確認し、\`VERDICT: PASS\` か \`VERDICT: FAIL\` の行で終える必要があります。`,
      );
    case "approval":
      return text(
        `Ask the person (AskUserQuestion with the option \`approve ${name}\`), or let them write the line \`approve ${name}\`.`,
        `利用者に質問し (AskUserQuestion の選択肢 \`approve ${name}\`)、または \`${name}を承認\` の一行を書いてもらってください。`,
      );
    case "command":
      return text(
        `Run the check ${name} and let it pass first.`,
        `先にチェック ${name} を実行して合格させてください。`,
      );
    case "change":
    case "marker":
      return text("See to that first.", "先にそれを済ませてください。");
  }
}

/** A subagent may lack the Skill tool; a skill that the main agent invokes also counts for its subagents. */
const BY_MAIN = text(
  "Without a Skill tool, end and say so: once the main agent has invoked it, it counts for its subagents too.",
  "Skill ツールがない場合は、その旨を伝えて終了してください。メインのエージェントが呼び出せば、サブエージェントにも有効です。",
);
