import { expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { verdictOf } from "../describe-policy.ts";
import { PLACE } from "../example.ts";
import { remindSuggestion } from "./remind-suggestion.ts";

const suggestions = {
  ab12: { shape: "chmod +x <path>", cwd: PLACE, policies: ["require-trust"], at: 0, times: 1 },
};
const prompt = { name: "UserPromptSubmit", prompt: "go on" } as const;

const asked = (given: Gathered, when: Parameters<typeof verdictOf>[1] = prompt) =>
  verdictOf(remindSuggestion, when, { suggestions, ...given });

it("tells a person who said yes how to stop being asked, and remembers having said it", () => {
  const { notices, notes, changes } = asked({});
  expect(notices.map(({ en }) => en).join()).toMatch(/`chmod \+x <path>`.*`sekisho accept ab12`/);
  expect(notices[0]?.ja).toContain("`sekisho accept ab12`");
  // The agent must not hear of a command that only a person may run.
  expect(notes).toEqual([]);
  expect(changes).toEqual([{ record: "session", do: "show", notice: "suggestion ab12" }]);
});

it("tells it once, and only at a prompt of a person", () => {
  const session = boundSession({ shown: ["suggestion ab12"] });
  expect(asked({ session }).notices).toEqual([]);
  expect(asked({}, { ...prompt, notification: "task" }).notices).toEqual([]);
  expect(asked({ suggestions: {} }).notices).toEqual([]);
});
