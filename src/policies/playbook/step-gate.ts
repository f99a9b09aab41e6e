/** Whether a change fits the step that is worked on. */
import type { TouchedFile } from "../../evidence/evidence-rule.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts, PlanFound } from "../../kernel/facts.ts";
import { ask, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { namesOf, pathsMeet } from "../../lib/path-meeting.ts";
import { within } from "../../lib/paths.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { type Executor, executorOf } from "../../playbook/executors.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { protectedPlace } from "../../reading/operation/protected-list.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { StepLimits } from "../../state/step-limits.ts";
import { touchedFiles } from "../proof/touched-files.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";

type Known = Pick<Facts, "settings" | "session" | "places" | "targets" | "standing" | "scripts">;

export function onStep(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  { settings, session, places, targets, standing, scripts }: Known,
  { root, active }: PlanFound,
): Ruling {
  const limits = active?.limits;
  if (!limits) return pass;
  const executor = executorOf(limits, settings.plan);
  const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
    const ground = { cwd: event.cwd, places, targets: one.targets, standing, endings: settings.gates.code_extensions };
    const files = touchedFiles(event.tool, one.operation, ground).filter(
      ({ path }) => path !== `${root}/${active.path}`,
    );
    return files.length === 0
      ? pass
      : rulingFor(files, { limits, executor, root, plan: settings.plan, shown: session.shown });
  };
  const itself = judge({ operation, targets });
  return scripts.length > 0 ? withScripts(itself, scripts, judge) : itself;
}

interface At {
  readonly limits: StepLimits;
  readonly executor: Executor | undefined;
  readonly root: string;
  readonly plan: Settings["plan"];
  readonly shown: readonly string[];
}

function rulingFor(files: readonly TouchedFile[], at: At): Ruling {
  const { limits, executor, root, plan, shown } = at;
  const { waitsFor, scope, other } = limits;
  const id = inline(limits.id, 20);
  if (waitsFor.length > 0) {
    const what = waitsWords(id, waitsFor);
    if (plan.depends === "deny") return deny({ what, fix: earlierFirst(waitsFor[0] ?? "") });
    const notice = `step waits ${id}`;
    if (shown.includes(notice)) return pass;
    return { ...pass, notes: [what], changes: [{ record: "session", do: "show", notice }] };
  }
  const isCode = files.some(({ kind }) => kind === "code");
  if (executor && isCode && (executor.isForbidden || executor.isOther))
    return deny({
      what: executorWords(id, executor, plan),
      fix: othersTurn(id, executor, other),
    });
  const built = files.find((file) => !isOfStance(file, limits.stance, root));
  if (built) return deny({ what: stanceWords(id, limits.stance, built.spelled), fix: nextStep(other) });
  const outside = files.find((file) => !isInScope(file, scope, root));
  if (!outside) return pass;
  const what = scopeWords(id, outside.spelled, scope);
  return plan.scope === "deny" ? deny({ what, fix: STAY }) : ask({ what, fix: STAY });
}

/** Planning writes documents, auditing nothing. Other places have their own policies. */
function isOfStance({ path, kind }: TouchedFile, stance: StepLimits["stance"], root: string): boolean {
  if (stance === undefined || stance === "building" || !within(path, root)) return true;
  return stance === "planning" && kind !== "code";
}

function stanceWords(id: string, stance: StepLimits["stance"], spelled: string): Text {
  const file = inline(spelled, 80);
  return stance === "planning"
    ? text(
        `Step ${id} is a planning step: it writes documents and no code, and ${file} is code.`,
        `ステップ ${id} は計画の段階です。文書だけを書き、コード (${file}) は変更しません。`,
      )
    : text(
        `Step ${id} is an auditing step: it changes no file, and this would change ${file}.`,
        `ステップ ${id} は監査の段階です。ファイル (${file}) は変更しません。`,
      );
}

function nextStep(next: string | undefined): Text {
  const step = next === undefined ? "" : ` \`sekisho playbook step ${inline(next, 20)}\``;
  return text(
    `Finish what the step asks for and go on with the next one${step && `:${step}`}, or ask the person to change its stance in the plan.`,
    `ステップの内容を終えて次へ進むか${step && ` (${step.trim()})`}、計画の段階を変えるよう利用者に頼んでください。`,
  );
}

/** Without a scope a step may change any file. Other work trees and places have their own policies. */
function isInScope({ path, how }: TouchedFile, scope: readonly string[], root: string): boolean {
  if (scope.length === 0 || !within(path, root) || how === "below") return true;
  return scope.some((glob) => pathsMeet(protectedPlace(root, glob).atRoot, namesOf(path, how === "pattern")));
}

function waitsWords(id: string, waitsFor: readonly string[]): Text {
  const ids = waitsFor
    .slice(0, 5)
    .map((one) => inline(one, 20))
    .join(", ");
  return text(
    `Step ${id} depends on ${ids}, and no critic has passed ${waitsFor.length === 1 ? "it" : "them"}.`,
    `ステップ ${id} は ${ids} に依存していますが、まだ批評役の判定を通っていません。`,
  );
}

function earlierFirst(id: string): Text {
  const step = inline(id, 20);
  return text(
    `Finish step ${step} first (\`sekisho playbook step ${step}\`), or ask the person to change the order in the plan.`,
    `先にステップ ${step} を終えるか (\`sekisho playbook step ${step}\`)、計画の順序を変えるよう利用者に頼んでください。`,
  );
}

function executorWords(id: string, { name, isForbidden }: Executor, { stack }: Settings["plan"]): Text {
  return isForbidden
    ? text(
        `Step ${id} is for ${name}, which toolstack ${stack} does not have.`,
        `ステップ ${id} の担当は ${name} ですが、ツール構成 ${stack} にはありません。`,
      )
    : text(
        `Step ${id} is for ${name}: its code is not yours to write.`,
        `ステップ ${id} の担当は ${name} です。このコードは書けません。`,
      );
}

function othersTurn(id: string, { name }: Executor, next: string | undefined): Text {
  const done = `\`sekisho playbook step ${id} done\``;
  const onward =
    next === undefined
      ? text("", "")
      : text(
          ` Meanwhile you may work on \`sekisho playbook step ${inline(next, 20)}\`.`,
          `その間に \`sekisho playbook step ${inline(next, 20)}\` へ進めます。`,
        );
  const whose = name === "user" ? "it" : `it with ${name}`;
  return text(
    `Ask the person to do ${whose} and then run ${done}.${onward.en}`,
    `利用者に作業を頼み、終わったら ${done} を実行してもらってください。${onward.ja}`,
  );
}

function scopeWords(id: string, spelled: string, scope: readonly string[]): Text {
  const globs = inline(scope.join(", "), 80);
  return text(
    `${inline(spelled, 80)} is outside the scope of step ${id} (${globs}).`,
    `${inline(spelled, 80)} はステップ ${id} の範囲 (${globs}) の外です。`,
  );
}

const STAY = text(
  "Change only files in the scope, or ask the person to widen it in the plan.",
  "範囲内のファイルだけを変更するか、計画の範囲を広げるよう利用者に頼んでください。",
);
