import { describe, expect, it } from "vitest";
import { modesMentioned } from "./mentions.ts";

describe("modes that a prompt names", () => {
  it.each([
    ["how does turbo mode work here", ["turbo"]],
    ["I want persistent mode for the next task", ["persistent"]],
    ["the plan needs turbo mode and the qa cycle", ["turbo", "qa"]],
    ["ターボモードについて教えて", ["turbo"]],
    ["永続モードにしたい", ["persistent"]],
    ["turbo: cleanup", ["turbo"]],
    ["fix the rest of it, ralph", ["persistent"]],
  ])("%s", (prompt, modes) => expect(modesMentioned(prompt)).toEqual(modes));

  it.each([
    "fix the login page",
    "change the mode of the file",
    "`turbo mode`",
    '"persistent mode" is the label of the button',
    "enable turbo mode on the CPU",
    "ゲームにターボモードを実装して",
    "the QA team found a bug",
    "src/turbo-mode.ts",
    "Implement a turbo mode for the racing game",
    "the turbo mode button is too small",
    "設定画面にターボモードのボタンを追加して",
    "turbo run build",
  ])("none in %s", (prompt) => expect(modesMentioned(prompt)).toEqual([]));
});
