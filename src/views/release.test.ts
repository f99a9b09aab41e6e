import { describe, expect, it } from "vitest";
import { definePolicy, pass } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import type { JournalRecord } from "../state/record.ts";
import { auditView } from "./audit.ts";
import { auditLine } from "./audit-line.ts";
import { explainView, lastEntry } from "./explain.ts";
import { releaseWords } from "./release.ts";

const record = (rid: string, more: object): JournalRecord => ({
  ...{ kind: "verdict", event: "Stop", session: "s1", decision: "pass", rid, t: 1_800_000_000_000, ms: 1 },
  ...more,
});
const released = [
  { policy: "require-persistent", why: "idle" },
  { policy: "require-turbo", why: "idle" },
];
const records = [record("r1", {}), record("r2", { released }), record("r3", { decision: "deny", released })];

describe("a turn that was released despite a refusal", () => {
  it("MD-55 is an audit entry that names the policies and the reason", () => {
    expect(auditView(records, {})).toMatchObject([
      {
        id: "r2",
        kind: "released",
        detail:
          "let go, although require-persistent, require-turbo would have refused: it was told to continue several times and used no tool",
      },
      // Another policy refused it anyway.
      { id: "r3", kind: "stop-block" },
    ]);
    expect(auditView(records, { kind: "released" })).toHaveLength(1);
    expect(auditView(records, {}).map(auditLine)).toMatchObject([{ kind: "released", released }, { released }]);
    expect(auditLine(auditView(records, { kind: "all" })[0] as never)).not.toHaveProperty("released");
  });

  it("MD-55 AU-10 the end and every other change of a mode is an audit entry with its reason", () => {
    const moved = (...changes: readonly object[]) =>
      record("m", { changes: changes.map((one) => ({ record: "mode", ...one })) });
    const start = { do: "start", by: "prompt", task: "t", max: 20 };
    const story = [
      moved({ ...start, mode: "persistent" }, { ...start, mode: "turbo", by: "mode", with: "persistent" }),
      moved({ do: "pause", why: "rate_limit" }),
      moved({ do: "stop", mode: "persistent", why: "stuck" }),
      moved({ do: "stop", why: "cancelled", unowned: true }),
      moved({ do: "claim" }),
      moved({ do: "adopt", from: "s-0" }),
    ];
    expect(auditView(story, { kind: "mode" }).map(({ detail }) => detail)).toEqual([
      "persistent began (by prompt); turbo began (by mode)",
      "paused: rate_limit",
      "persistent ended: the same thing failed three times",
      "every mode ended: cancelled by the person",
      "took up what waited",
      "taken over from session s-0",
    ]);
    expect(auditView(story, {})).toHaveLength(6);
    // A refusal counts in the mode and is listed as a Stop block.
    const refused = { do: "refuse", mode: "persistent" };
    expect(auditView([record("d", { ...moved(refused), decision: "deny" })], {})).toMatchObject([
      { kind: "stop-block" },
    ]);
    expect(auditView([moved({ do: "promise", mode: "turbo" })], { kind: "mode" })).toEqual([]);
    const both = {
      ...record("b", { released }),
      ...{ changes: [{ record: "mode", do: "stop", mode: "qa", why: "spent" }] },
    };
    expect(auditView([both as JournalRecord], {})).toMatchObject([
      {
        kind: "released",
        detail: expect.stringMatching(/^let go, although .*; qa ended: all its refusals are used up$/),
      },
    ]);
    expect(lastEntry(auditView([...records.slice(2), ...story], {}))?.id).toBe("r3");
  });

  it("is explained in words, and does not count as the last refusal", () => {
    const law = definePolicy({
      id: "require-turbo",
      on: ["Stop"],
      needs: [],
      why: text("why it refuses", "理由"),
      check: () => pass,
      examples: [],
    });
    const entries = auditView(records.slice(0, 2), {});
    const [entry] = entries;
    if (!entry) throw new Error("none");
    expect(explainView(entry, [law], "en").rulings).toEqual([
      { policy: "require-persistent", decision: "pass", why: "", released: releaseWords("idle") },
      { policy: "require-turbo", decision: "pass", why: "why it refuses", released: releaseWords("idle") },
    ]);
    expect(lastEntry([...entries, { ...entry, id: "c", kind: "call" }])?.id).toBe("c");
  });

  it("an unknown reason of a newer version is shown as it is", () => {
    expect([releaseWords("moonlight"), releaseWords("constructor")]).toEqual(["moonlight", "constructor"]);
  });
});
