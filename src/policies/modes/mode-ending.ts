/** How a mode ends at a Stop, and the notice to the person. */
import type { HookEvent } from "../../kernel/event.ts";
import { repeatedFailure, sameError } from "../../kernel/mode-progress.ts";
import { deny, pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Mode, ModeEnd, ModeName } from "../../state/session/modes.ts";
import { facedFix, stuckFix, stuckWords } from "./mode-words.ts";

export const NAMES: Readonly<Record<ModeName, Text>> = {
  persistent: text("Persistent mode", "永続モード"),
  qa: text("QA mode", "QA モード"),
  turbo: text("Turbo mode", "ターボモード"),
};

/**
 * The mode is complete and ends once the turn really ends. A promise made while something else is owed is remembered.
 */
export function doneRuling(mode: ModeName, { count, promised }: Mode, said: boolean): Ruling {
  return {
    ...pass,
    ...(said && !promised && { changes: [{ record: "mode", do: "promise", mode }] }),
    onEnd: { changes: [stop(mode, "done")], notices: [doneNotice(NAMES[mode], count)] },
  };
}

/** The agent stops to wait for something. The mode continues, but a promise is remembered. */
export function waitingRuling(mode: ModeName, { promised }: Mode, said: boolean): Ruling {
  return said && !promised ? { ...pass, changes: [{ record: "mode", do: "promise", mode }] } : pass;
}

/** A waiting agent will be woken and is checked then; only a promise counts at once. */
export function isAsked({ backgroundTasks, lastMessage }: HookEvent<"Stop">): boolean {
  return backgroundTasks === 0 || /<promise>/i.test(lastMessage);
}

/** If the host does not report schedules, any alarm counts. */
export function isWaiting({ backgroundTasks, wakeUps = 0, schedules }: HookEvent<"Stop">, wokenSoon: boolean): boolean {
  return backgroundTasks > 0 || (wakeUps > 0 && (schedules === undefined || wokenSoon));
}

function doneNotice({ en, ja }: Text, count: number): Text {
  if (count === 0) return text(`${en} is done`, `${ja}が完了しました`);
  const times = count === 1 ? "once" : `${count} times`;
  return text(
    `${en} is done; the agent was told to continue ${times}`,
    `${ja}が完了しました (途中で ${count} 回続行させました)`,
  );
}

/** The refusals are used up, or the agent has already analysed a repeated failure: the person takes over. */
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

/**
 * Every refusal counts and is recorded before it is answered. After the same failure three times the agent must name
 * the cause.
 */
export function heldRuling(mode: ModeName, state: Mode, { what, fix, plan, error }: Held): Ruling {
  const same = error === undefined ? undefined : sameError([...(state.errors ?? []), error]);
  // A command can be made to fail at will, so it asks for the cause and does not end the mode.
  const faced = same === undefined ? repeatedFailure(state.failures) : undefined;
  const stuck = same ?? faced;
  const words =
    stuck === undefined
      ? { what, fix }
      : { what: stuckWords(NAMES[mode], state, stuck), fix: same === undefined ? facedFix() : stuckFix() };
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
        ...(faced !== undefined && { faced }),
      },
    ],
  };
}

/** The agent started this mode itself, so the person should know why the work continues. */
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
