import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";

/**
 * A person who approved a question is told once how to stop similar questions. Nothing is learned without their
 * consent.
 */
export const remindSuggestion = definePolicy({
  id: "remind-suggestion",
  on: ["UserPromptSubmit"],
  needs: ["suggestions", "session"],
  why: text(
    "Whoever answers the same question again and again stops reading it.",
    "同じ質問に何度も答える人は、質問を読まなくなる。",
  ),

  applies: ({ notification }) => notification === undefined,

  check({ facts }) {
    const unseen = Object.entries(facts.suggestions).filter(([id]) => !facts.session.shown.includes(noticeOf(id)));
    if (unseen.length === 0) return pass;
    return {
      ...remember(...unseen.map(([id]) => ({ record: "session", do: "show", notice: noticeOf(id) }) as const)),
      notices: unseen.map(([id, { shape }]) =>
        text(
          `you let \`${inline(shape, 80)}\` pass; \`sekisho accept ${id}\` lets its like pass here for a week.`,
          `\`${inline(shape, 80)}\` を許可されました。\`sekisho accept ${id}\` で、同種の操作を一週間ここで通せます。`,
        ),
      ),
    };
  },

  examples: [
    { expect: "pass", when: { name: "UserPromptSubmit", prompt: "go on" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on" },
      given: {
        suggestions: {
          ab12: { shape: "chmod +x <path>", cwd: "/home/dev/project", policies: ["require-trust"], at: 0, times: 1 },
        },
      },
    },
  ],
});

function noticeOf(id: string): string {
  return `suggestion ${id}`;
}
