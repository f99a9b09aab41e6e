/** Messages when a session takes over modes, or when the person cancels them. */
import type { Facts } from "../../kernel/facts.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import {
  type Mode,
  type ModeChange,
  type ModeName,
  type Modes,
  modesInForce,
  unled,
} from "../../state/session/modes.ts";
import { keywordNotes } from "./keyword-skills.ts";
import { NAMES } from "./mode-ending.ts";
import { quoted } from "./quoted.ts";

/** The agent may have sent this prompt, but only the person has the terminal. */
export const UNSURE: Text = text(
  "this prompt may have been sent by the agent itself, so it cancels nothing. `sekisho cancel` in your own terminal does",
  "このプロンプトはエージェント自身が送った可能性があるため、何も中止しません。ご自分の端末で `sekisho cancel` を実行してください",
);

type Known = Pick<Facts, "session" | "now"> & { readonly skills: readonly string[] };

export function cancelled(active: readonly ModeName[], { session, now, skills }: Known, isAnswered: boolean): Ruling {
  if (active.length === 0) {
    const isNews = isAnswered && now - (session.cancelledAt ?? 0) > JUST_NOW_MS;
    return isNews ? { ...pass, notices: [NONE] } : pass;
  }
  const names = [...new Set(active)];
  const notice = text(
    `cancelled: ${names.map((name) => lowered(NAMES[name].en)).join(", ")}`,
    `中止しました: ${names.map((name) => NAMES[name].ja).join("、")}`,
  );
  return {
    ...pass,
    changes: [{ record: "mode", do: "stop", why: "cancelled", unowned: true }],
    notes: keywordNotes(["cancel"], skills),
    notices: [notice],
  };
}

/** Lower-cases a name inside a sentence, except abbreviations. */
export function lowered(name: string): string {
  return name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

const JUST_NOW_MS = 30_000;
const NONE = text("no mode is active, so there is nothing to cancel", "有効なモードはありません");

const TASK_CHARS = 200;

type Named = Mode & { readonly name: ModeName };

/** Modes of another session, or modes that a person started before the session. */
export function taken(modes: Modes, now: number, change: ModeChange): Ruling {
  const inForce = unled(modesInForce(modes, now));
  const words = inForce.map(({ name, count, max, task }) => {
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
  return { ...pass, changes: [change], ...(words.length > 0 && { notes: [note], notices: [waited(inForce)] }) };
}

function waited(modes: readonly Named[]): Text {
  return text(
    `on from here: ${progress(modes, "en")}, which waited for a session. ${END.en}`,
    `ここから有効: ${progress(modes, "ja")} (セッション開始前に始められたもの)。${END.ja}`,
  );
}

/** A person who resumes a conversation may have forgotten the mode. */
export function stillOn(modes: readonly Named[]): Text {
  return text(
    `still on: ${progress(modes, "en")}. It goes on with your next prompt. ${END.en}`,
    `有効なまま: ${progress(modes, "ja")}。次の指示で再開します。${END.ja}`,
  );
}

/** The prompt names the mode without ordering it. */
export function notStarted(mode: ModeName): Text {
  const name = NAMES[mode];
  return text(
    `${name.en} was not started: the prompt names it without ordering it. To start it: \`/sekisho:${mode} <task>\``,
    `${name.ja} は開始していません（名前だけが書かれているため）。開始するには \`/sekisho:${mode} <作業>\``,
  );
}

/** The mode was requested again, perhaps for another task: say that the old task still applies. */
export function onAlready(modes: readonly Named[]): Text {
  return text(
    `on already: ${progress(modes, "en")}. Type \`cancel\` first to begin anew`,
    `すでに有効: ${progress(modes, "ja")}。始め直すには、先に「キャンセル」と入力`,
  );
}

const END = text("Type `cancel` to end it", "終えるには「キャンセル」と入力");

function progress(modes: readonly Named[], language: "en" | "ja"): string {
  const words = modes.map(({ name, count, max, task }) => {
    const [mode, of] = [NAMES[name][language], quoted(task, SHORT_TASK_CHARS)];
    const about = of === "" ? "" : language === "en" ? ` "${of}"` : `「${of}」`;
    return `${language === "en" ? lowered(mode) : mode} ${count}/${max}${about}`;
  });
  return words.join(language === "en" ? ", " : "、");
}

const SHORT_TASK_CHARS = 60;
