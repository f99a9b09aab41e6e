import { definePolicy, pass } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";

/** While a grant or a pause is in force, a notice at every prompt says so. */
export const remindLeave = definePolicy({
  id: "remind-leave",
  on: ["SessionStart", "UserPromptSubmit"],
  needs: ["leave", "now"],
  floor: true,
  why: text(
    "A door that stands open must be seen to stand open, also by whoever did not open it.",
    "開いている戸は、開けた人以外にも開いていると見えなければならない。",
  ),

  check({ facts: { leave, now } }) {
    const words: Text[] = leave.grants.map(({ id, what, once, until }) => {
      const [subject, left] = [inline(what, 80), minutes(until - now)];
      return text(
        `allowed ${once ? "once" : "again and again"} for ${left} min: ${subject} (\`sekisho revoke ${id}\` takes it back).`,
        `許可中（${once ? "一度だけ" : "何度でも"}、残り ${left} 分）: ${subject}（\`sekisho revoke ${id}\` で取り消し）。`,
      );
    });
    if (leave.pause) {
      const left = minutes(leave.pause.until - now);
      words.unshift(
        text(
          `paused for ${left} min: only the floor is held (\`sekisho resume\` ends it).`,
          `休止中（残り ${left} 分）: 最低限の守りだけが働きます（\`sekisho resume\` で再開）。`,
        ),
      );
    }
    return words.length === 0 ? pass : { ...pass, notices: words };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on" },
      given: { leave: { grants: [], pause: { at: 0, until: 60_000 } } },
    },
  ],
});

function minutes(ms: number): number {
  return Math.max(1, Math.ceil(ms / 60_000));
}
