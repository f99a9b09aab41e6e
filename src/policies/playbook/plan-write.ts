/** Compares the plan that is worked on before and after a write, whichever tool writes it. */
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts, PlanFound } from "../../kernel/facts.ts";
import { ask, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { saysDone } from "../../playbook/claims.ts";
import { boxPart, changedParts, partsOf } from "../../playbook/identity.ts";
import { type Playbook, type Subtask, subtasksOf } from "../../playbook/playbook.ts";
import { isDone, progressOf } from "../../playbook/progress.ts";
import { readPlaybook } from "../../playbook/read.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import { testChanges } from "../quality/test-change.ts";
import { isTestPath, type TestContext } from "../quality/test-ground.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";

type Known = Pick<Facts, "settings" | "places" | "targets" | "standingText" | "scripts">;

export function onPlanWrite(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  { settings, places, targets, standingText, scripts }: Known,
  { root, active }: PlanFound,
): Ruling {
  const path = active?.path ?? "";
  const file = `${root}/${path}`;
  if (event.tool.kind === "mcp") return mayMark(event.tool.words, path) ? deny(unknownTo(path)) : pass;
  const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
    const isWanted = (name: string): boolean => name === file;
    const ground = { cwd: event.cwd, project: places.project, targets: one.targets, standing: standingText, isWanted };
    const changes = testChanges(event.tool, one.operation, ground);
    for (const change of changes) {
      if (change.kind !== "written" || change.part || change.before === undefined) continue;
      const ruling = compared(readPlaybook(change.before), readPlaybook(change.after), active, settings.plan.scope);
      if (ruling.decision !== "pass") return ruling;
    }
    const isKnown = changes.some((change) => change.kind === "written" && change.before !== undefined);
    return isKnown || !writesPlan(one.operation, ground) ? pass : unseen(event.tool, active);
  };
  const itself = judge({ operation, targets });
  return scripts.length > 0 ? withScripts(itself, scripts, judge) : itself;
}

function writesPlan({ effects }: Operation, ground: TestContext): boolean {
  return effects.some(({ kind, path, by }) => kind === "write" && by !== "git" && isTestPath(path, ground));
}

/** There is nothing to compare with: the file is gone and this puts it back, or nobody can tell what is written. */
function unseen(tool: Tool, active: PlanFound["active"]): Ruling {
  if (tool.kind !== "write") return deny(unknownTo(active?.path ?? ""));
  const unproven = newClaim(readPlaybook(""), readPlaybook(tool.content), active);
  return unproven ? deny(unproven) : pass;
}

/** A tool whose input nobody can read, with the plan's path and a mark, a PASS or a status among its words. */
function mayMark(words: readonly string[], path: string): boolean {
  return words.some((word) => word.endsWith(path)) && words.some((word) => MARKS.test(word));
}

const MARKS = /\[[xX]\]|\bPASS\b|\bstatus\b\W*(?:done|complete)/i;

function unknownTo(path: string): Words {
  const plan = inline(path, 80);
  return {
    what: text(
      `This writes into the plan at work (${plan}), and what it writes cannot be known beforehand.`,
      `実行中の計画 (${plan}) に書き込みますが、書き込まれる内容を事前に確認できません。`,
    ),
    fix: text(
      "Change the plan with the Edit or Write tool, so that it can be compared.",
      "比較できるよう、Edit または Write ツールで計画を変更してください。",
    ),
  };
}

function compared(before: Playbook, after: Playbook, active: PlanFound["active"], scope: "ask" | "deny"): Ruling {
  const name = inline((active?.path ?? "").replace(/^.*\//, "").replace(/\.md$/, ""), 60);
  const unproven = newClaim(before, after, active);
  if (unproven) return deny({ what: unproven.what, fix: unproven.fix });
  const parts = changedParts(partsOf(before), partsOf(after));
  if (parts.length === 0) return pass;
  const ids = parts
    .slice(0, 5)
    .map((id) => inline(id, 20))
    .join(", ");
  const what = text(
    `This changes what was approved in plan ${name} (${ids}).`,
    `計画 ${name} の承認された内容 (${ids}) を変更します。`,
  );
  const fix = text(
    `Keep the approved words, or make another plan for more: \`sekisho playbook new NAME\`. A changed plan needs approval again.`,
    "承認された内容を保つか、追加分は別の計画にしてください: `sekisho playbook new NAME`。変更した計画は再び承認が必要です。",
  );
  return scope === "deny" ? deny({ what, fix }) : ask({ what, fix });
}

interface Words {
  readonly what: Text;
  readonly fix: Text;
}

/** The first thing that the new text says is done and that nothing proves. */
function newClaim(before: Playbook, after: Playbook, active: PlanFound["active"]): Words | undefined {
  const done = new Set(
    progressOf(after, active?.work)
      .steps.filter(isDone)
      .map(({ step }) => step.id),
  );
  const open = after.steps.filter(({ id, isFinal }) => !isFinal && !done.has(id));
  const boxes = new Map(subtasksOf(before).map((box) => [box.id, box]));
  const passed = new Set(active?.checked?.passed ?? []);
  return first(open, (step) => {
    const old = before.steps.find(({ id }) => id === step.id);
    if (saysDone(step) && !(old && saysDone(old))) return critical(`Step ${step.id}`, `ステップ ${step.id}`, "done");
    return first(step.subtasks, (box) => boxClaim(box, boxes.get(box.id), passed, step.id));
  });
}

function boxClaim(
  box: Subtask,
  was: Subtask | undefined,
  passed: ReadonlySet<string>,
  step: string,
): Words | undefined {
  if (passes(box) > (was ? passes(was) : 0)) return critical(box.id, box.id, "PASS");
  const isTicked = box.mark === "done" && was?.mark !== "done" && box.proofs.length > 0;
  return isTicked && !passed.has(boxPart(box)) ? unchecked(box, step) : undefined;
}

function first<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function passes({ validations = {} }: Subtask): number {
  return Object.values(validations).filter((value) => /^PASS\b/.test(value)).length;
}

function unchecked({ id }: Subtask, step: string): Words {
  const [box, of] = [inline(id, 20), inline(step, 20)];
  return {
    what: text(
      `This ticks ${box}, and its command has not passed.`,
      `${box} にチェックを付けますが、そのコマンドはまだ通っていません。`,
    ),
    fix: text(
      `Run \`sekisho playbook check --step ${of}\` first.`,
      `先に \`sekisho playbook check --step ${of}\` を実行してください。`,
    ),
  };
}

function critical(what: string, ja: string, word: string): Words {
  return {
    what: text(
      `This writes ${word} for ${inline(what, 30)}, and no critic has said so.`,
      `${inline(ja, 30)} に ${word} と書きますが、批評役の判定がありません。`,
    ),
    fix: text(
      "Start the subagent `sekisho:critic` (Agent tool); what it says is recorded by itself.",
      "サブエージェント `sekisho:critic` を起動してください (Agent ツール)。その判定は自動で記録されます。",
    ),
  };
}
