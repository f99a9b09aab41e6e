import { describe, expect, it } from "vitest";
import { newProof } from "../state/session/proof.ts";
import type { HookEvent } from "./event.ts";
import { isPersons, sentWords } from "./persons-prompt.ts";

const prompt = (words: string, more: object = {}) =>
  ({ name: "UserPromptSubmit", prompt: words, ...more }) as HookEvent<"UserPromptSubmit">;
const having = (...sent: readonly string[]) => ({ proof: { ...newProof, sent: sent.map(sentWords) } });

describe("the author of a prompt, once the agent has sent prompts", () => {
  it.each([
    ["the same words", "please go on with it", "please go on with it"],
    ["in another case and with other blanks", "Wake  me\nup", "wake me up"],
    ["a short one, as a whole", "go", "Go"],
    ["a long one, wherever it stands", "please go on with it", "[cron] please go on with it now"],
    ["a very long one, by its beginning", "x".repeat(500), "x".repeat(500)],
    ["with signs that nobody sees", "/can\u200bcel", "/cancel"],
    ["with signs that nobody sees, on the way here", "/cancel", "\u2063/cancel\ufeff"],
    ["in wide letters", "\uff0f\uff43\uff41\uff4e\uff43\uff45\uff4c", "/cancel"],
    ["one of the client's that becomes other words", "<<autonomous-loop>>", "whatever"],
    ["one that nobody could read", "", "whatever"],
  ])("the agent wrote it: %s", (_, sent, said) => {
    expect(isPersons(prompt(said), having("something else", sent))).toBe(false);
  });

  it.each([
    ["nothing was sent", [], "go on"],
    ["a short one was, and stands within it", ["go"], "go on"],
    ["a letter was", ["e"], "/cancel"],
    ["another command was", ["/cancel"], "/persistent cancel the orders of last year"],
    ["other words were", ["please go on with it"], "go on"],
  ])("a person wrote it: %s", (_, sent, said) => {
    expect(isPersons(prompt(said), having(...sent))).toBe(true);
  });

  it("a prompt in the host's schedule file is not a person's, and other prompts are not affected", () => {
    expect(isPersons(prompt("/cancel"), {}, [sentWords("/cancel")])).toBe(false);
    expect(isPersons(prompt("go on"), {}, [sentWords("/cancel")])).toBe(true);
  });

  it("the host's own notes are not a person's prompts", () => {
    expect(isPersons(prompt("go on", { automatic: true }), {})).toBe(false);
    expect(isPersons(prompt("go on", { notification: { call: "", status: "" } }), {})).toBe(false);
  });
});
