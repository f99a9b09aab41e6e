/** The messages of a mode when a turn would end too early: progress, open items, and how the mode ends. */

import type { CheckStanding } from "../../evidence/verification.ts";
import type { HostTasks, Plan } from "../../kernel/facts.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Mode } from "../../state/session/modes.ts";
import { quoted } from "./quoted.ts";

const TASK_CHARS = 200;
const PATH_CHARS = 300;
const TASKS_SHOWN = 5;

/** Includes the current refusal. */
function round({ count, max }: Mode): string {
  return `${count + 1}/${max}`;
}

export function planWords(mode: Mode, plan: Plan): Text {
  const percent = Math.floor((plan.done / plan.total) * 100);
  const items = plan.open.map((item) => `- [ ] ${quoted(item, 80)}`).join("\n");
  const more = plan.total - plan.done - plan.open.length;
  const rest = (word: string): string => (more > 0 ? `\n${word}` : "");
  const path = quoted(plan.path, PATH_CHARS);
  return text(
    `Persistent mode ${round(mode)}: ${plan.done} of ${plan.total} boxes of ${path} are ticked (${percent}%).\n${items}${rest(`and ${more} more`)}`,
    `永続モード ${round(mode)}: ${path} は ${plan.total} 項目中 ${plan.done} 項目が完了 (${percent}%)。\n${items}${rest(`ほか ${more} 項目`)}`,
  );
}

export function planFix(plan: Plan): Text {
  const path = quoted(plan.path, PATH_CHARS);
  return text(
    `Go on with the open items, and tick each when it is done. The mode ends by itself when all boxes of ${path} are ticked. ${QUESTION.en}`,
    `残りの項目を続け、終わったものからチェックを入れてください。${path} がすべて埋まるとモードは自動で終わります。${QUESTION.ja}`,
  );
}

/** For a plan that existed before and that the request does not name. */
export function guessedPlanFix(plan: Plan, { promise = "DONE" }: Mode): Text {
  const { en, ja } = planFix(plan);
  const path = quoted(plan.path, PATH_CHARS);
  return text(
    `${en} If ${path} is about other work, end with <promise>${promise}</promise> when the request is fulfilled.`,
    `${ja} ${path} が別の作業の計画であれば、依頼を満たしたときに <promise>${promise}</promise> と書いて終えてください。`,
  );
}

export function planLost(mode: Mode): Text {
  const path = quoted(mode.plan ?? "", PATH_CHARS);
  return text(
    `Persistent mode ${round(mode)}: its plan ${path} is gone, or has no boxes any more.`,
    `永続モード ${round(mode)}: 計画 ${path} が見つからないか、チェック項目がありません。`,
  );
}

export const planLostFix = (): Text =>
  text(
    "Bring the plan back with its boxes (`- [ ] …`), tick what is done, and go on with the rest.",
    "計画をチェック項目 (`- [ ] …`) とともに戻し、済んだものにチェックを入れ、残りを続けてください。",
  );

export function promiseWords(name: Text, mode: Mode, tasks: HostTasks): Text {
  const task = quoted(mode.task, TASK_CHARS);
  return text(
    `${name.en} ${round(mode)}: not complete yet.${openTasks(tasks).en}${task === "" ? "" : `\nThe request: ${task}`}`,
    `${name.ja} ${round(mode)}: まだ完了していません。${openTasks(tasks).ja}${task === "" ? "" : `\n依頼: ${task}`}`,
  );
}

export function promiseFix(marker: string): Text {
  return text(
    `Go on until the request is fulfilled. When it really is, end with <promise>${marker}</promise>. ${QUESTION.en}`,
    `依頼が満たされるまで続けてください。本当に終わったら <promise>${marker}</promise> と書いて終えてください。${QUESTION.ja}`,
  );
}

/** A question in plain text would only be refused again. */
const QUESTION = text(
  "What only the person can decide, ask with the question tool.",
  "人にしか決められないことは、質問ツールで尋ねてください。",
);

function openTasks({ open, shown }: HostTasks): Text {
  if (open === 0) return text("", "");
  const names = shown.slice(0, TASKS_SHOWN).map(({ subject }) => quoted(subject));
  const list = names.join("; ");
  return text(` Open tasks: ${open} (${list}).`, ` 未完了のタスク: ${open} 件 (${list})。`);
}

const SAID: Readonly<Record<"passed" | "failed" | "open", Text>> = {
  passed: text("PASS", "合格"),
  failed: text("FAIL", "失敗"),
  open: text("not run on the files as they are", "いまのファイルに対して未実行"),
};

export function qaWords(mode: Mode, standings: readonly CheckStanding[]): Text {
  const results = standings.map(({ check, standing }) => ({
    check,
    result: standing === "passed" || standing === "failed" ? standing : ("open" as const),
  }));
  const line = text(resultLine(results, "en"), resultLine(results, "ja"));
  const before = errorWords(mode.errors?.at(-1) ?? "");
  const isNews = before.en !== "" && before.en !== line.en;
  return text(
    `QA mode ${round(mode)}: ${line.en}.${isNews ? ` Last time: ${before.en}.` : ""}`,
    `QA モード ${round(mode)}: ${line.ja}。${isNews ? `前回: ${before.ja}。` : ""}`,
  );
}

interface Result {
  readonly check: string;
  readonly result: keyof typeof SAID;
}

/** In the order of execution; adjacent checks with the same result are grouped. */
function resultLine(results: readonly Result[], language: "en" | "ja"): string {
  const groups: { names: string; result: Result["result"] }[] = [];
  for (const { check, result } of results) {
    const last = groups.at(-1);
    if (last?.result === result) last.names += `, ${check}`;
    else groups.push({ names: check, result });
  }
  return groups.map(({ names, result }) => `${names}: ${SAID[result][language]}`).join("; ");
}

/** Errors are stored as `test:false,lint:null`; any other form is already text. */
function errorWords(error: string): Text {
  const parts = error.split(",").map((part) => /^(\w+):(true|false|null)$/.exec(part));
  const results = parts.flatMap((part) =>
    part ? [{ check: part[1] ?? "", result: KEPT[part[2] ?? ""] ?? "open" }] : [],
  );
  if (results.length < parts.length) return text(quoted(error, 120), quoted(error, 120));
  return text(resultLine(results, "en"), resultLine(results, "ja"));
}

const KEPT: Readonly<Record<string, keyof typeof SAID>> = { true: "passed", false: "failed", null: "open" };

export function qaFix(standings: readonly CheckStanding[]): Text {
  const commands = standings.flatMap(({ standing, command }) =>
    standing === "passed" || command === undefined ? [] : [`\`${quoted(command, 120)}\``],
  );
  const list = commands.join(", ");
  const hasFailed = standings.some(({ standing }) => standing === "failed");
  const fix = hasFailed ? text("Fix what fails, then run", "失敗を直し、") : text("Run", "");
  if (commands.length === 1) {
    return text(
      `${fix.en} ${list}, by itself: its exit code counts, not what is said about it.`,
      `${fix.ja}${list} を単独で実行してください。数えるのは終了コードで、説明ではありません。`,
    );
  }
  return text(
    `${fix.en} in this order: ${list}. Each by itself: its exit code counts, not what is said about it.`,
    `${fix.ja}この順に実行してください: ${list}。それぞれ単独で実行してください。数えるのは終了コードで、説明ではありません。`,
  );
}

/** For a project without known checks. */
export function qaBlind(mode: Mode): Text {
  return text(
    `QA mode ${round(mode)}: this project names no checks, and no passing run was seen since the last change.`,
    `QA モード ${round(mode)}: このプロジェクトには検査が定義されておらず、最後の変更以降に合格した実行も見当たりません。`,
  );
}

export function qaBlindFix(marker: string): Text {
  return text(
    `Check the work as this project can be checked (analysis and tests). When that passes, end with <promise>${marker}</promise>. A person can name the checks in \`verify.commands\`.`,
    `このプロジェクトでできる検査 (解析とテスト) を行ってください。合格したら <promise>${marker}</promise> と書いて終えてください。検査は \`verify.commands\` で指定できます。`,
  );
}

export function stuckWords(name: Text, mode: Mode, error: string): Text {
  const what = errorWords(error);
  return text(
    `${name.en} ${round(mode)}: the same thing failed three times (${what.en}). This looks like a problem of structure, not of detail.`,
    `${name.ja} ${round(mode)}: 同じ失敗が三回続きました (${what.ja})。細部ではなく構造の問題と思われます。`,
  );
}

export const stuckFix = (): Text =>
  text(
    "Change nothing for now. Read the failure again, write down the cause, what was tried, and two other ways; then end your turn with that. The mode ends here.",
    "いまは何も変更しないでください。失敗を読み直し、原因・試したこと・別の方法を二つ書いて、それで終えてください。モードはここで終わります。",
  );

/** The same for any command; the mode goes on. */
export const facedFix = (): Text =>
  text(
    "Don't run it again as it is. Read the failure, write down its cause, what was tried, and two other ways; then take one of them.",
    "そのままの再実行はやめてください。失敗を読み直し、原因・試したこと・別の方法を二つ書き、そのうちの一つを試してください。",
  );
