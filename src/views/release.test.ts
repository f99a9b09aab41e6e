import { describe, expect, it } from "vitest";
import { definePolicy, pass } from "../kernel/policy.ts";
import { text } from "../kernel/text.ts";
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

describe("a turn that was let go although somebody would have refused it", () => {
  it("MD-55 is an entry of the trail, and says who and why", () => {
    expect(auditView(records, {})).toMatchObject([
      {
        id: "r2",
        kind: "released",
        detail:
          "let go, although require-persistent, require-turbo would have refused: it was sent on several times and used no tool",
      },
      // Somebody else refused it all the same.
      { id: "r3", kind: "stop-block" },
    ]);
    expect(auditView(records, { kind: "released" })).toHaveLength(1);
    expect(auditView(records, {}).map(auditLine)).toMatchObject([{ kind: "released", released }, { released }]);
    expect(auditLine(auditView(records, { kind: "all" })[0] as never)).not.toHaveProperty("released");
  });

  it("is explained in words, and is not what a person means by the last refusal", () => {
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

  it("a reason of a newer version is told as it is", () => {
    expect([releaseWords("moonlight"), releaseWords("constructor")]).toEqual(["moonlight", "constructor"]);
  });
});
