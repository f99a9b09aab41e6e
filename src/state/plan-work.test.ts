import { describe, expect, it } from "vitest";
import type { PlanWork } from "./plan-work.ts";
import { type PlaybookChange, reducePlaybooks } from "./playbooks.ts";
import type { JournalRecord } from "./record.ts";
import { fold, newState } from "./state.ts";

const AT = { record: "playbook", root: "/p", path: "a.md" } as const;
const BEGIN: PlaybookChange = { ...AT, do: "begin", base: "c0", branch: "topic", step: "1" };

const verdict = (more: object): PlaybookChange =>
  ({
    ...AT,
    ...{ do: "verdict", of: "critic", step: "1", verdict: "PASS", agent: "agent-1" },
    ...{ plan: "d", files: "f", covered: 3, read: 3, ran: 1 },
    ...more,
  }) as PlaybookChange;

function after(...changes: readonly PlaybookChange[]) {
  return changes.reduce((all, change, at) => reducePlaybooks(all, change, at + 1, "s"), {})["/p" as never] as
    | { readonly work?: Readonly<Record<string, PlanWork>>; readonly reviews?: object; readonly approvals: object }
    | undefined;
}

const work = (...changes: readonly PlaybookChange[]): PlanWork | undefined => after(...changes)?.work?.["a.md"];

describe("a plan at work", () => {
  it("begins at a commit, and beginning again moves neither the commit nor what was said", () => {
    const again: PlaybookChange = { ...AT, do: "begin", base: "c9", branch: "other" };
    expect(work(BEGIN)).toEqual({
      ...{ at: 1, base: "c0", branch: "topic", step: "1" },
      ...{ steps: {}, verdicts: [], judged: [] },
    });
    expect(work(BEGIN, verdict({}), again)).toMatchObject({ at: 1, base: "c0", steps: { 1: { state: "passed" } } });
  });

  it("PB-73 a critic's FAIL lowers trust in what is said to be done, and its PASS raises it", () => {
    const record = (change: PlaybookChange) =>
      ({
        rid: "r",
        t: 1,
        kind: "verdict",
        event: "SubagentStop",
        session: "s",
        decision: "pass",
        changes: [change],
      }) as const;
    const score = (change: PlaybookChange) =>
      fold(newState, record(change) as unknown as JournalRecord).trust.domains["completion"]?.score ?? -1;
    expect(score(verdict({ verdict: "FAIL" }))).toBeLessThan(score(verdict({})));
    expect(score(verdict({ verdict: "DEFERRED" }))).toBe(-1);
  });

  it("a PASS closes the step and hands on to the next; the files it covered are remembered", () => {
    expect(work(BEGIN, verdict({ judged: ["m1", "m2"], next: "2" }))).toMatchObject({
      step: "2",
      steps: { 1: { state: "passed", attempts: 0, plan: "d" } },
      judged: ["m1", "m2"],
      verdicts: [{ of: "critic", step: "1", verdict: "PASS", agent: "agent-1", session: "s", covered: 3, read: 3 }],
    });
  });

  it("P4 a FAIL leaves the step open, counts an attempt and takes the claim back", () => {
    const claim: PlaybookChange = { ...AT, do: "claim", step: "1" };
    expect(work(BEGIN, claim)?.steps["1"]).toMatchObject({ claimed: true, state: "open" });
    const failed = verdict({ verdict: "FAIL", judged: ["m1"], next: "2" });
    expect(work(BEGIN, claim, failed, failed)).toMatchObject({
      step: "1",
      steps: { 1: { state: "open", attempts: 2 } },
      judged: [],
    });
    expect(work(BEGIN, claim, failed)?.steps["1"]).not.toHaveProperty("claimed");
  });

  it("a person's own step is deferred, which is not passed", () => {
    expect(work(BEGIN, verdict({ verdict: "DEFERRED", next: "2" }))).toMatchObject({
      step: "2",
      steps: { 1: { state: "deferred" } },
    });
  });

  it("the reviewer speaks before the work begins, and its word is kept beside it", () => {
    const review = verdict({ of: "reviewer", step: undefined });
    expect(work(review)).toBeUndefined();
    expect(after(review)?.reviews).toMatchObject({ "a.md": { verdict: "PASS", plan: "d" } });
  });

  it("is over once it is closed or cancelled, and may be begun anew", () => {
    const cancel: PlaybookChange = { ...AT, do: "cancel" };
    const close: PlaybookChange = { ...AT, do: "close" };
    expect(work(BEGIN, verdict({ judged: ["m"] }), cancel)).toMatchObject({
      judged: [],
      over: { how: "cancelled", at: 3 },
    });
    expect(work(BEGIN, close)).toMatchObject({ over: { how: "closed", at: 2 } });
    expect(work(BEGIN, close, BEGIN)).toEqual({ ...work(BEGIN), at: 3 });
  });

  it("stays small whatever is said", () => {
    const many = Array.from({ length: 400 }, (_, at) => verdict({ step: `${at}`, judged: [`m${at}`] }));
    const one = work(BEGIN, ...many) as PlanWork;
    expect([Object.keys(one.steps).length, one.verdicts.length, one.judged.length]).toEqual([250, 24, 256]);
  });

  it("a verdict begins what nobody began, and a change of a newer version changes nothing", () => {
    expect(work(verdict({}))).toMatchObject({ base: "", steps: { 1: { state: "passed" } } });
    expect(work({ ...AT, do: "claim", step: "1" })).toBeUndefined();
    expect(work(BEGIN, { ...AT, do: "later" } as unknown as PlaybookChange)).toEqual(work(BEGIN));
  });
});
