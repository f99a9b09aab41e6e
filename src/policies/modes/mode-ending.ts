/** How a mode ends at the end of a turn, and what the person is told then. */
import type { HookEvent } from "../../kernel/event.ts";
import { sameError } from "../../kernel/mode-progress.ts";
import { deny, pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../kernel/text.ts";
import type { Mode, ModeEnd, ModeName } from "../../state/modes.ts";
import { stuckFix, stuckWords } from "./mode-words.ts";

export const NAMES: Readonly<Record<ModeName, Text>> = {
  persistent: text("Persistent mode", "永続モード"),
  qa: text("QA mode", "QA モード"),
  turbo: text("Turbo mode", "ターボモード"),
};

/** What it was for holds; it is over once the turn really ends. Said while something else is owed, it need not be said again. */
export function doneRuling(mode: ModeName, { count, promised }: Mode, said: boolean): Ruling {
  return {
    ...pass,
    ...(said && !promised && { changes: [{ record: "mode", do: "promise", mode }] }),
    onEnd: { changes: [stop(mode, "done")], notices: [doneNotice(NAMES[mode], count)] },
  };
}

/** It ends its turn to wait for something. Nothing is over by that, but what it has said need not be said again. */
export function waitingRuling(mode: ModeName, { promised }: Mode, said: boolean): Ruling {
  return said && !promised ? { ...pass, changes: [{ record: "mode", do: "promise", mode }] } : pass;
}

/** Whoever waits for something will be woken, and is asked then; only what it says counts at once. */
export function isAsked({ backgroundTasks, lastMessage }: HookEvent<"Stop">): boolean {
  return backgroundTasks === 0 || /<promise>/i.test(lastMessage);
}

/** A host that does not say when its alarms come is believed. */
export function isWaiting({ backgroundTasks, wakeUps = 0, schedules }: HookEvent<"Stop">, wokenSoon: boolean): boolean {
  return backgroundTasks > 0 || (wakeUps > 0 && (schedules === undefined || wokenSoon));
}

function doneNotice({ en, ja }: Text, count: number): Text {
  if (count === 0) return text(`${en} is done`, `${ja}が完了しました`);
  const times = count === 1 ? "once" : `${count} times`;
  return text(
    `${en} is done; the agent was sent on ${times}`,
    `${ja}が完了しました (途中で ${count} 回続行させました)`,
  );
}

/** All its refusals are used up, or it was asked for the cause of what fails again and again: the person takes over. */
export function spentRuling(mode: ModeName, { max, analysed }: Mode): Ruling {
  const why = analysed
    ? text("the same thing failed three times", "同じ失敗が三回続いたため")
    : text(`it has refused ${max} times`, `${max} 回差し戻したため`);
  const notice = text(
    `${NAMES[mode].en} has ended although the work is not complete: ${why.en}`,
    `${NAMES[mode].ja}は未完了のまま終わりました: ${why.ja}`,
  );
  return { ...pass, notices: [notice], changes: [stop(mode, analysed ? "stuck" : "spent")] };
}

export interface Held {
  readonly what: Text;
  readonly fix: Text;
  readonly plan?: string;
  readonly error?: string | undefined;
}

/** Every refusal counts, and is kept before it is spoken. With the third failure of a kind comes one that asks for its cause. */
export function heldRuling(mode: ModeName, state: Mode, { what, fix, plan, error }: Held): Ruling {
  const same = error === undefined ? undefined : sameError([...(state.errors ?? []), error]);
  const words = same === undefined ? { what, fix } : { what: stuckWords(NAMES[mode], state, same), fix: stuckFix() };
  const isNews = state.by === "agent" && state.count === 0;
  return {
    ...deny(words),
    ...(isNews && { notices: [ownStart(NAMES[mode])] }),
    changes: [
      {
        ...{ record: "mode", do: "refuse", mode },
        ...(plan !== undefined && { plan }),
        ...(error !== undefined && { error }),
        ...(same !== undefined && { analysed: true }),
      },
    ],
  };
}

/** Nobody but the agent has asked for it: whoever wonders why it goes on should know. */
function ownStart({ en, ja }: Text): Text {
  return text(
    `${en} was started by the agent itself. Type \`cancel\` to end it`,
    `${ja}はエージェント自身が始めたものです。終えるには「キャンセル」と入力`,
  );
}

export function isSpent({ count, max, analysed }: Mode): boolean {
  return analysed === true || count >= max;
}

function stop(mode: ModeName, why: ModeEnd) {
  return { record: "mode", do: "stop", mode, why } as const;
}
