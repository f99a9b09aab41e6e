import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describeExamples, verdictOf } from "../describe-policy.ts";
import { edit, PLACE } from "../example.ts";
import { armySettings } from "./example-inbox.ts";
import { noClaimedWrite } from "./no-claimed-write.ts";
import { requireTeammateInbox } from "./require-teammate-inbox.ts";

describeExamples(noClaimedWrite);
describeExamples(requireTeammateInbox);

describe("RACE-001 a write to a file that another agent works on", () => {
  const MINUTE = 60_000;
  const one = { path: `${PLACE}/a.ts`, session: "other-session", name: "worker2", at: 0 };
  const when = edit(`${PLACE}/a.ts`);

  it("is told once, with who and since when", () => {
    const { notes, changes } = verdictOf(noClaimedWrite, when, { claimed: [one], now: 5 * MINUTE });
    expect(notes.map(({ en }) => en)).toEqual([
      "worker2 changed a.ts 5 min ago and has not committed it. Agree with worker2 before you go on.",
    ]);
    const shown = changes.flatMap((change) => ("notice" in change ? [change.notice] : []));
    const again = { claimed: [one], session: boundSession({ shown }) };
    expect(verdictOf(noClaimedWrite, when, again)).toMatchObject({ decision: "pass", notes: [] });
  });

  it("names the pattern that was reserved, and nothing in a name reaches a terminal", () => {
    const hostile = { ...one, glob: "src/**\u001b[2J", name: "x\ny\u001b[31m" };
    const { notes } = verdictOf(noClaimedWrite, when, { claimed: [hostile, one], now: 0 });
    expect(notes[0]?.en).toBe(
      "x y [31m reserved a.ts (src/** [2J) just now. The same holds for 1 more. Agree with x y [31m before you go on.",
    );
  });

  it("is refused where the role says so, whatever the setting", () => {
    const session = boundSession({ actor: "ashigaru1" });
    expect(verdictOf(noClaimedWrite, when, { claimed: [one], session, settings: armySettings }).decision).toBe("deny");
    const off = { ...armySettings, inbox: { ...armySettings.inbox, claims: "off" as const } };
    expect(verdictOf(noClaimedWrite, when, { claimed: [one], session, settings: off }).decision).toBe("deny");
    expect(verdictOf(noClaimedWrite, when, { claimed: [one], session, settings: defaultSettings }).decision).toBe(
      "pass",
    );
  });
});
