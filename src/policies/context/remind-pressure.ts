import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import type { PressureLevel } from "../../state/session/session.ts";

/**
 * Reports each level once. The host gives context usage only to the status line, so Sekisho's status line must be set
 * up.
 */
export const remindPressure = definePolicy({
  id: "remind-pressure",
  on: ["UserPromptSubmit", "SessionStart"],
  needs: ["settings", "session", "contextUse"],
  why: text(
    "What was not written down before the context is full is gone.",
    "文脈が埋まる前に書き留めなかったことは失われる。",
  ),

  applies: (event) => event.name === "UserPromptSubmit" || isEmptied(event.source),

  check({ event, facts }) {
    const { pressure } = facts.session;
    if (event.name === "SessionStart") return remember({ record: "session", do: "pressure", level: "none" });
    const use = facts.contextUse;
    // A measurement from before the context was emptied is stale.
    if (!use || (pressure?.level === "none" && use.at <= pressure.at)) return pass;
    const { pressure_info: info, pressure_urgent: urgent } = facts.settings.context;
    const level = use.percent >= urgent ? "urgent" : use.percent >= info ? "info" : "none";
    if (RANK[level] <= RANK[pressure?.level ?? "none"]) return pass;
    return { ...remember({ record: "session", do: "pressure", level }), notes: [hint(level, use.percent)] };
  },

  examples: [
    { expect: "pass", when: { name: "UserPromptSubmit", prompt: "go on" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on" },
      given: { contextUse: { percent: 62, at: 1 } },
    },
  ],
});

const RANK: Readonly<Record<PressureLevel, number>> = { none: 0, info: 1, urgent: 2 };

function isEmptied(source: string): boolean {
  return source === "compact" || source === "clear";
}

function hint(level: PressureLevel, percent: number): Text {
  if (level === "urgent") {
    return text(
      `Sekisho: ${percent} % of the context is in use, and compaction is near. Write down now what is done, decided and open.`,
      `関所: 文脈の ${percent} % が使われており、まもなく圧縮されます。済んだこと、決めたこと、残りを今すぐ書き留めてください。`,
    );
  }
  return text(
    `Sekisho: ${percent} % of the context is in use. At the next good moment, write down where the work stands.`,
    `関所: 文脈の ${percent} % が使われています。区切りのよいところで、作業の状況を書き留めてください。`,
  );
}
