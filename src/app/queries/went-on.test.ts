import { describe, expect, it } from "vitest";
import { wentOnAfter } from "./went-on.ts";

const event = (name: string, session: string, changes: readonly object[] = []) =>
  ({ kind: "verdict", event: name, session, decision: "pass", rid: `${name} ${session}`, t: 1, changes }) as never;
const end = { record: "session", do: "end" };
const listed = (...events: readonly never[]) => wentOnAfter(events).map(({ rid }) => rid);

describe("the end of a session", () => {
  it("is listed if the host goes on with it", () => {
    expect(listed(event("SessionEnd", "s", [end]), event("PreToolUse", "s"))).toEqual(["SessionEnd s"]);
  });

  it("is listed if another session takes its modes and the host goes on with it", () => {
    const adopt = { record: "mode", do: "adopt", from: "s" };
    expect(listed(event("SessionStart", "heir", [adopt]), event("UserPromptSubmit", "s"))).toEqual([
      "SessionStart heir",
    ]);
  });

  it("is not listed if it is taken up again, if nothing follows, or if only trailing events follow", () => {
    const over = event("SessionEnd", "s", [end]);
    expect(listed(over, event("SessionStart", "s"), event("PreToolUse", "s"))).toEqual([]);
    expect(listed(over, event("PreToolUse", "other"))).toEqual([]);
    expect(listed(over, event("PostToolUse", "s"), event("SubagentStop", "s"))).toEqual([]);
  });
});
