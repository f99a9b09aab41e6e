import { askedOr, type MateFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass } from "../../kernel/policy.ts";
import { markOf } from "../../lib/sha256.ts";
import { inline, text } from "../../lib/text.ts";
import { newBox } from "../../state/inbox/box.ts";
import { waitingFor } from "./digest.ts";
import { leadSettings } from "./example-inbox.ts";

const LINES_MAX = 5;

/** A teammate that goes idle while work waits for it is told once. One that has finished its assignment may rest. */
export const requireTeammateInbox = definePolicy({
  id: "require-teammate-inbox",
  on: ["TeammateIdle"],
  needs: ["session", "settings", "now", "mate"],
  needsIf: { mate: ({ settings }) => settings.inbox.teammate_idle === "once" },
  why: text(
    "Nobody else wakes a teammate that rests while work waits for it.",
    "仕事が待っているのに休んでいるチームメイトは、ほかの誰も起こしません。",
  ),
  applies: ({ mate }) => mate !== "",

  check({ event, facts: { session, settings, now, mate } }) {
    if (settings.inbox.teammate_idle === "off") return pass;
    const { box, tasks } = askedOr(mate, NOTHING);
    const { lines, messages } = waitingFor({ actor: event.mate, box, asked: {}, working: [] }, now);
    const all = [...tasks.map(({ id, title }) => `${id}: ${inline(title, 60)}`), ...(messages > 0 ? lines : [])];
    // The same work is told once, however often the teammate goes idle over it.
    const notice = `idle ${inline(event.mate, 40)} ${markOf(all.join("\n")).slice(0, 16)}`;
    if (all.length === 0 || session.shown.includes(notice)) return pass;
    const shown = all
      .slice(0, LINES_MAX)
      .map((line) => `\n- ${line}`)
      .join("");
    const [more, jaMore] =
      all.length > LINES_MAX
        ? [`\nand ${all.length - LINES_MAX} more`, `\nほか ${all.length - LINES_MAX} 件`]
        : ["", ""];
    return {
      ...deny({
        what: text(
          `This waits for ${inline(event.mate, 40)}:${shown}${more}`,
          `${inline(event.mate, 40)} を待っているもの:${shown}${jaMore}`,
        ),
        fix: text(
          "Do it, or say why not. You are told of it only once. It gives you no permission.",
          "対応するか、できない理由を述べてください。知らせるのは一度だけです。許可にはなりません。",
        ),
      }),
      changes: [{ record: "session", do: "show", notice }],
    };
  },

  get examples(): readonly Example[] {
    const when = { name: "TeammateIdle", mate: "mia" } as const;
    const settings = { ...leadSettings, inbox: { ...leadSettings.inbox, teammate_idle: "once" as const } };
    const mate = { box: newBox, tasks: [{ id: "t1", title: "write the login page" }] };
    return [
      { expect: "pass", when, given: { mate } },
      { expect: "pass", when, given: { settings } },
      { expect: "deny", when, given: { settings, mate } },
    ];
  },
});

const NOTHING: MateFound = { box: newBox, tasks: [] };
