/** The effects of a prompt: modes to start, and notes about skills. */
import type { Facts } from "../../kernel/facts.ts";
import { briefTask, halfTask, startChanges } from "../../kernel/mode-start.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import type { ModeChange, ModeName } from "../../state/session/modes.ts";
import { keywordNotes } from "./keyword-skills.ts";
import { NAMES } from "./mode-ending.ts";
import { lowered } from "./mode-notes.ts";
import { modeOf, type Wish } from "./mode-wishes.ts";
import { nameable } from "./nameable.ts";

type Known = Pick<Facts, "settings"> & { readonly skills: readonly string[] };

/** A mode in force is not started again, and its note is not repeated. */
export function started(wish: Wish, active: readonly ModeName[], { settings, skills }: Known): Ruling {
  const begun = wish.modes.filter((name) => !active.includes(name));
  const changes = startsOf(begun, wish.task, settings);
  const told = wish.keywords.filter((keyword) => isTold(keyword, begun, settings.modes.skills));
  const notes = [...keywordNotes(told, skills), ...ownNotes(wish.keywords, settings.modes.words, skills)];
  if (changes.length === 0 && notes.length === 0) return pass;
  return {
    ...pass,
    ...(changes.length > 0 && { changes, notices: [begunNotice(begun)] }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Tells the person at once which mode has started and how to end it, in case a keyword was not meant. */
function begunNotice(begun: readonly ModeName[]): Text {
  return text(
    `on from here: ${begun.map((name) => lowered(NAMES[name].en)).join(", ")}. Type \`cancel\` to end it`,
    `ここから有効: ${begun.map((name) => NAMES[name].ja).join("、")}。終えるには「キャンセル」と入力`,
  );
}

/** Modes started together share one record, which has space for one long text or two short ones. */
function startsOf(begun: readonly ModeName[], task: string, settings: Known["settings"]): readonly ModeChange[] {
  // Starting persistent also starts turbo.
  const alone = begun.filter((name) => name !== "turbo" || !begun.includes("persistent"));
  const words = alone.length > 1 ? [halfTask(task), briefTask(task), briefTask(task)] : [task];
  return alone.flatMap((name, at) => startChanges(name, { by: "prompt", task: words[at] ?? "" }, settings));
}

function isTold(keyword: string, begun: readonly ModeName[], skills: boolean): boolean {
  const mode = modeOf(keyword);
  return mode ? begun.includes(mode) : skills;
}

/** Notes for a person's own keywords. A missing skill is not ordered. */
function ownNotes(
  keywords: readonly string[],
  words: Known["settings"]["modes"]["words"],
  skills: readonly string[],
): readonly Text[] {
  return words.flatMap(({ name, skill, say }) => {
    if (!keywords.includes(name)) return [];
    if (say !== undefined) return [text(`Sekisho (${name}): ${say}`, `関所 (${name}): ${say}`)];
    return nameable(skill === undefined ? [] : [skill], skills).map((named) =>
      text(
        `Sekisho (${name}): take up the skill ${named} now, with the Skill tool.`,
        `関所 (${name}): 今すぐ Skill ツールでスキル ${named} を使ってください。`,
      ),
    );
  });
}
