import { expect, it } from "vitest";
import type { LeaveInForce } from "../../kernel/facts.ts";
import type { Language } from "../../lib/text.ts";
import { verdictOf } from "../describe-policy.ts";
import { remindLeave } from "./remind-leave.ts";

const grant = { effect: "e", policies: ["no-x"], at: 0, until: 90_000, what: "Bash git push\u001b[31m --force" };
const leave: LeaveInForce = {
  grants: [
    { ...grant, id: "a", once: true },
    { ...grant, id: "b", once: false, until: 3_600_000 },
  ],
  pause: { at: 0, until: 600_000 },
};
const shown = (given: LeaveInForce, language: Language = "en") =>
  verdictOf(remindLeave, { name: "UserPromptSubmit", prompt: "go on" }, { leave: given, now: 0 }).notices.map(
    (notice) => notice[language],
  );

it("shows each grant and pause, its remaining time and how to end it, at every prompt", () => {
  expect(shown(leave)).toEqual([
    "paused for 10 min: only the floor is held (`sekisho resume` ends it).",
    "allowed once for 2 min: Bash git push [31m --force (`sekisho revoke a` takes it back).",
    "allowed again and again for 60 min: Bash git push [31m --force (`sekisho revoke b` takes it back).",
  ]);
  expect(shown(leave, "ja")[0]).toContain("休止中（残り 10 分）");
  expect(shown({ grants: [] })).toEqual([]);
});
