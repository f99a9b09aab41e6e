import { expect, it } from "vitest";
import { newSession } from "../../state/session/session.ts";
import { describeExamples, verdictOf } from "../describe-policy.ts";
import { remindSignature } from "./remind-signature.ts";

describeExamples(remindSignature);

const claim = { rid: "mr3x91a2", at: 1000, action: "pause\u001b[31m", why: "unsigned" } as const;
const when = { name: "UserPromptSubmit", prompt: "go on" } as const;
const told = (given: Parameters<typeof verdictOf>[2]) => verdictOf(remindSignature, when, { now: 2000, ...given });

it("tells once per session of a record that claims a person's authority, in both languages", () => {
  const { notices, changes } = told({ voided: [claim] });
  expect(notices.map(({ en }) => en)).toEqual([
    "a record in the journal claims that you ran `sekisho pause [31m`, but it has no signature. It does not count. If it was not you, see `sekisho audit verify`.",
  ]);
  expect(notices[0]?.ja).toContain("署名がありません");
  expect(changes).toEqual([{ record: "session", do: "show", notice: "mr3x91a2" }]);
  expect(told({ voided: [claim], session: { ...newSession(0), shown: ["mr3x91a2"] } }).notices).toEqual([]);
});

it("is quiet about a record of yesterday, which `status` and `doctor` still show", () => {
  expect(told({ voided: [claim], now: 90_000_000 }).notices).toEqual([]);
});

it.each(["other", "gone"] as const)("tells that the key file is %s", (keyFile) => {
  expect(told({ keyFile }).notices).toHaveLength(1);
  expect(told({ keyFile, session: { ...newSession(0), shown: [`key ${keyFile}`] } }).notices).toEqual([]);
});
