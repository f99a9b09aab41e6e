import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWakeText, wakeText } from "./text.ts";

const typed = wakeText("0123456789abcdef");

describe("the text that wakes an agent", () => {
  it.each([
    ["as typed", typed],
    ["with an unknown token", wakeText("ffffffffffffffff")],
    ["behind a person's half-typed words", `approve release${typed}`],
    ["before a person's words", `${typed} cancel`],
    ["in capitals", typed.toUpperCase()],
    ["with other spaces", typed.replaceAll(" ", "\u00a0\n\t ")],
    ["with invisible characters", typed.replace("[sekisho", "[sek\u200bisho")],
    ["in wide letters", typed.replace("sekisho wake", "ｓｅｋｉｓｈｏ ｗａｋｅ")],
    ["cut off", "[sekisho wake"],
  ])("is known %s", (_, words) => {
    expect(isWakeText(words)).toBe(true);
  });

  it.each(["wake me up when it is done", "what does sekisho do at a wake?", "run sekisho inbox read", ""])(
    "is not %s",
    (words) => {
      expect(isWakeText(words)).toBe(false);
    },
  );

  it("is known inside any words", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (before, after) => isWakeText(`${before}${typed}${after}`)));
  });

  it("holds nothing that a shell expands, joins or redirects", () => {
    expect(typed).toMatch(/^[A-Za-z0-9 .[\]]+$/);
  });
});
