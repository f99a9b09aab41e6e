/** Reasons a host may give for the end of a turn that must always be accepted. */
import { describe, expect, it } from "vitest";
import { decide } from "../../kernel/decide.ts";
import { ordinaryFacts } from "../../policies/describe-policy.ts";
import { changedTree, owing } from "../../policies/proof/example-work.ts";
import { requireVerification } from "../../policies/proof/require-verification.ts";
import { parse } from "./parse.ts";

const stopWith = (fields: object, name = "Stop") => {
  const body = JSON.stringify({ session_id: "s-1", cwd: "/home/dev/project", hook_event_name: name, ...fields });
  const parsed = parse({ body, env: {} });
  if ("problem" in parsed || (parsed.event.name !== "Stop" && parsed.event.name !== "SubagentStop"))
    throw new Error("no Stop");
  return parsed.event;
};
const decided = (fields: object) => {
  const facts = { ...ordinaryFacts, ...owing("missing"), checkedTrees: [changedTree] };
  const event = stopWith({ last_assistant_message: "Done.", background_tasks: [], ...fields });
  return decide({ event, operation: undefined, facts }, [requireVerification]);
};

const FIELDS = ["stop_reason", "stopReason", "end_turn_reason", "endTurnReason"];

const CONTEXT = [
  ...[
    "context_limit",
    "context_window",
    "context_exceeded",
    "context_full",
    "max_context",
    "token_limit",
    "max_tokens",
  ],
  ...["conversation_too_long", "input_too_long"],
];
const ABORTED = ["aborted", "abort", "cancel", "interrupt"];
const ABORTING = ["user_cancel", "user_interrupt", "ctrl_c", "manual_stop"];

describe("MD-51 a full context", () => {
  it.each(CONTEXT)(
    "MD-51 TS-34 %s ends the turn, in every spelling of the field, inside a longer word, in any case",
    (word) => {
      for (const field of FIELDS)
        for (const reason of [word, word.toUpperCase(), `error_${word}_reached`])
          expect([field, reason, stopWith({ [field]: reason }).mustYield]).toEqual([field, reason, true]);
      expect(stopWith({ stop_reason: word }, "SubagentStop").mustYield).toBe(true);
      expect(decided({ stop_reason: word }).decision).toBe("pass");
    },
  );
});

describe("MD-52 an end by the person", () => {
  it("MD-52 TS-34 only user_requested: true counts", () => {
    expect(stopWith({ user_requested: true }).mustYield).toBe(true);
    expect(decided({ user_requested: true }).decision).toBe("pass");
    for (const value of [false, "true", 1, null, {}]) expect(stopWith({ user_requested: value }).mustYield).toBe(false);
  });

  it.each(ABORTED)("MD-52 TS-34 the reason %s counts only as the whole word", (word) => {
    for (const field of FIELDS) expect(stopWith({ [field]: word }).mustYield).toBe(true);
    expect(stopWith({ stop_reason: word.toUpperCase() }).mustYield).toBe(true);
    for (const reason of [`not_${word}ed_at_all`, `${word}_policy`, `will ${word}`])
      expect([reason, stopWith({ stop_reason: reason }).mustYield]).toEqual([reason, false]);
  });

  it.each(ABORTING)("MD-52 TS-34 a reason that contains %s counts", (word) => {
    for (const field of FIELDS)
      for (const reason of [word, `by_${word}_key`, word.toUpperCase()])
        expect(stopWith({ [field]: reason }).mustYield).toBe(true);
  });

  it("MD-51 MD-52 an ordinary, unknown or malformed reason does not force a pass", () => {
    for (const reason of ["end_turn", "tool_use", "stop_sequence", "", "context", "limit", 7, null, ["abort"], {}])
      expect([reason, stopWith({ stop_reason: reason }).mustYield]).toEqual([reason, false]);
    expect(decided({ stop_reason: "end_turn" }).decision).toBe("deny");
  });

  it("MD-51 MD-52 words in the agent's last message are no reason", () => {
    const words = [...CONTEXT, ...ABORTED, ...ABORTING].join(" ");
    expect(decided({ last_assistant_message: `user_requested: true ${words}` }).decision).toBe("deny");
  });
});

describe("MD-53 stop_hook_active", () => {
  it("MD-53 is read but does not change the verdict", () => {
    const [first, again] = [decided({ stop_hook_active: false }), decided({ stop_hook_active: true })];
    expect(again).toEqual(first);
    expect(first.decision).toBe("deny");
    expect(stopWith({ stop_hook_active: true }).continued).toBe(true);
  });
});
