/** Describes a mode to the agent that continues it: its task, its progress, and how it ends. */
import { askedOr, type Facts } from "../../kernel/facts.ts";
import { planOf } from "../../kernel/mode-progress.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Mode, ModeName } from "../../state/session/modes.ts";
import { NAMES } from "./mode-ending.ts";
import { quoted } from "./quoted.ts";

type Around = Pick<Facts, "checkedTrees" | "plans" | "settings">;
type Named = Mode & { readonly name: ModeName };

export function modeLines(mode: Named, around: Around): readonly Text[] {
  if (mode.with !== undefined) return [BESIDE];
  const task = quoted(mode.task);
  const { en, ja } = NAMES[mode.name];
  const count = `${mode.count}/${mode.max}`;
  return [
    text(`${en} is on (${count}).`, `${ja}が続いています (${count})。`),
    ...(task === "" ? [] : [text(`Task: "${task}"`, `依頼: 「${task}」`)]),
    ...(mode.paused === undefined ? [] : [PAUSED]),
    ...ENDS[mode.name](mode, around),
  ];
}

const BESIDE = text(
  "Turbo mode goes with it: what does not depend on one another is done side by side.",
  "ターボモードも有効です。互いに依存しない作業は並行して進めます。",
);
const PAUSED = text("It is paused until the person speaks again.", "利用者が次に話すまで休止中です。");

const ENDS: Readonly<Record<ModeName, (mode: Mode, around: Around) => readonly Text[]>> = {
  persistent: whenDone,
  qa: whenPassing,
  turbo: whenThrough,
};

const BY_CANCEL = text(
  "The person can end it by typing `cancel`.",
  "利用者は「キャンセル」と入力して終わらせられます。",
);

/** The mode ends by its plan, or by the marker. */
function whenDone(mode: Mode, { plans }: Around): readonly Text[] {
  const plan = planOf(mode, askedOr(plans, []));
  if (plan === undefined)
    return [byMarker(mode.promise ?? "DONE", "all of it is really done", "すべてが本当に終わったら"), BY_CANCEL];
  const name = quoted(plan === "missing" ? (mode.plan ?? "") : plan.path);
  const boxes = plan === "missing" ? "" : ` (${plan.done}/${plan.total})`;
  return [
    text(
      `It ends by itself when every box in ${name} is ticked${boxes}.`,
      `${name} のすべての項目にチェックが付くと自動で終わります${boxes}。`,
    ),
    BY_CANCEL,
  ];
}

function whenThrough({ promise = "DONE" }: Mode): readonly Text[] {
  return [
    text("It ends when all tasks in your list are completed.", "一覧のタスクがすべて完了すると終わります。"),
    byMarker(promise, "all of it is really done", "すべてが本当に終わったら"),
    BY_CANCEL,
  ];
}

function whenPassing({ promise = "QA_COMPLETE", errors = [] }: Mode, around: Around): readonly Text[] {
  const { require } = around.settings.verify;
  const checks = (around.checkedTrees[0]?.checks ?? []).filter(({ name }) => require.includes(name));
  const commands = checks.map(({ command }) => `\`${quoted(command, COMMAND_CHARS)}\``);
  const failure = errors.at(-1);
  return [
    ...(failure === undefined ? [] : [text(`Last failure: ${quoted(failure)}`, `直近の失敗: ${quoted(failure)}`)]),
    ...(commands.length === 0
      ? [byMarker(promise, "everything passes", "すべて通ったら")]
      : [
          text(
            `It ends when these have passed: ${commands.slice(0, COMMANDS_MAX).join(", ")}.`,
            `次が通ると終わります: ${commands.slice(0, COMMANDS_MAX).join("、")}`,
          ),
        ]),
    BY_CANCEL,
  ];
}

const COMMAND_CHARS = 60;
const COMMANDS_MAX = 5;

function byMarker(promise: string, en: string, ja: string): Text {
  const marker = `<promise>${quoted(promise, MARKER_CHARS)}</promise>`;
  // Text on both sides of the marker, so that repeating this sentence does not count as the promise.
  return text(`When ${en}, write ${marker} to end it.`, `${ja}、${marker} と書いて終わらせます。`);
}

const MARKER_CHARS = 80;
