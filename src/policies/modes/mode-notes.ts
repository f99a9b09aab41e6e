/** What is said when modes pass from one hand to another, or end by the person's word. */
import type { Facts } from "../../kernel/facts.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../kernel/text.ts";
import { type ModeChange, type ModeName, type Modes, modesInForce } from "../../state/modes.ts";
import { keywordNotes } from "./keyword-skills.ts";
import { NAMES } from "./mode-ending.ts";
import { quoted } from "./quoted.ts";

/** Somebody may have sent it for the person: the terminal is theirs alone. */
export const UNSURE: Text = text(
  "this prompt may have been sent by the agent itself, so it cancels nothing. `sekisho cancel` in your own terminal does",
  "このプロンプトはエージェント自身が送った可能性があるため、何も中止しません。ご自分の端末で `sekisho cancel` を実行してください",
);

type Known = Pick<Facts, "session" | "now" | "skills">;

export function cancelled(active: readonly ModeName[], { session, now, skills }: Known, isAnswered: boolean): Ruling {
  if (active.length === 0) {
    const isNews = isAnswered && now - (session.cancelledAt ?? 0) > JUST_NOW_MS;
    return isNews ? { ...pass, notices: [NONE] } : pass;
  }
  const names = [...new Set(active)];
  const notice = text(
    `cancelled: ${names.map((name) => NAMES[name].en.toLowerCase()).join(", ")}`,
    `中止しました: ${names.map((name) => NAMES[name].ja).join("、")}`,
  );
  return {
    ...pass,
    changes: [{ record: "mode", do: "stop", why: "cancelled", unowned: true }],
    notes: keywordNotes(["cancel"], skills),
    notices: [notice],
  };
}

const JUST_NOW_MS = 30_000;
const NONE = text("no mode is active, so there is nothing to cancel", "有効なモードはありません");

const TASK_CHARS = 200;

/** Another session's, or those that a person has started beforehand. */
export function taken(modes: Modes, now: number, change: ModeChange): Ruling {
  const words = modesInForce(modes, now).map(({ name, count, max, task }) => {
    const of = quoted(task, TASK_CHARS);
    return text(
      `${NAMES[name].en} ${count}/${max} holds here${of === "" ? "" : `: ${of}`}`,
      `${NAMES[name].ja} ${count}/${max} が有効です${of === "" ? "" : `: ${of}`}`,
    );
  });
  const note = text(
    `Sekisho: ${words.map(({ en }) => en).join("; ")}. Go on with it until it is complete.`,
    `関所: ${words.map(({ ja }) => ja).join("、")}。完了まで続けてください。`,
  );
  return { ...pass, changes: [change], ...(words.length > 0 && { notes: [note] }) };
}
