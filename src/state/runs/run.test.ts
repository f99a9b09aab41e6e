import { expect, it } from "vitest";
import { claimsAuthority, withoutAuthority } from "../authority.ts";
import { foldPart, type PartRecord } from "../part.ts";
import type { Action } from "../signed-action.ts";
import { fold, newState } from "../state.ts";
import { approvalOf } from "./approvals.ts";
import { runs } from "./part.ts";
import type { Run } from "./run.ts";

const HASH = { sha256: "0".repeat(64), bytes: 1 };
const START = {
  ...{ kind: "run", do: "start", run: "r1", pipeline: "P", tier: "S", digest: "d", definition: HASH, given: HASH },
  ...{ root: "/p", base: "c", limits: {}, how: "headless" },
};
const runner = (token: number, pid: number) => ({
  kind: "run",
  do: "runner",
  run: "r1",
  token,
  process: { pid, started: "1" },
});
const begin = (token: number, attempt: number) => ({
  kind: "run",
  do: "begin",
  run: "r1",
  token,
  step: "a",
  n: 0,
  attempt,
});
const done = (token: number) => ({
  ...{ kind: "run", do: "done", run: "r1", token, step: "a", attempt: 1, evidence: [], used: { ms: 1 } },
});

function folded(...records: readonly object[]): Run {
  const stamped = records.map((record, t) => ({ rid: `m${t}`, t, ...record }) as unknown as PartRecord);
  return (foldPart(runs, stamped) as Record<string, Run>)["r1"] as Run;
}

it("of two runners that begin at the same time the first one has the run, and the other one's records don't count", () => {
  const run = folded(START, runner(1, 7), runner(1, 8), begin(1, 1));
  expect(run).toMatchObject({ token: 1, runner: { pid: 7 }, steps: { a: { status: "running" } } });
});

it("what a runner writes after another has taken over doesn't count", () => {
  const run = folded(START, runner(1, 7), begin(1, 1), runner(2, 8), done(1));
  expect(run).toMatchObject({ runner: { pid: 8 }, steps: { a: { status: "running" } } });
});

it("an attempt is begun once, and ended once", () => {
  const twice = folded(START, runner(1, 7), begin(1, 1), begin(1, 1), begin(1, 2), done(1), done(1));
  expect(twice.steps["a"]).toMatchObject({ attempt: 1, status: "done", ms: 1 });
});

it("a run that has ended or was started before stays as it is", () => {
  const end = { kind: "run", do: "end", run: "r1", token: 1, verdict: "failed", why: "no" };
  const run = folded(START, runner(1, 7), end, { ...START, tier: "XL" }, runner(2, 8));
  expect(run).toMatchObject({ tier: "S", token: 1, ended: { verdict: "failed" } });
  expect(run.runner).toBeUndefined();
});

it("ST-7 a malformed record changes nothing and breaks nothing", () => {
  for (const odd of [
    {},
    { do: "done" },
    { do: "none", token: 1 },
    { do: "begin", token: 1 },
    { do: "skip", token: 1 },
  ]) {
    const record = { ...odd, kind: "run", run: "r1" };
    expect(() => folded(START, runner(1, 7), record, begin(1, 1))).not.toThrow();
  }
});

const APPROVAL = { record: "run", do: "approve", run: "r1", step: "ok", attempt: 2 } as const;
const action = { kind: "action", action: "pipeline", changes: [APPROVAL], rid: "m9", t: 9 } as const satisfies Action;

it("PL-16 a person's answer is kept with the record that gave it, for that attempt only", () => {
  const { approvals } = fold(newState, action);
  expect(approvalOf(approvals, APPROVAL)).toEqual({ is: "approve", rid: "m9", at: 9 });
  expect(approvalOf(approvals, { ...APPROVAL, attempt: 3 })).toBeUndefined();
});

it("PL-16 where a person has a key, an answer without a signature doesn't count", () => {
  expect(claimsAuthority(action, newState)).toBe(true);
  expect(fold(newState, withoutAuthority(action, newState, "unsigned")).approvals).toBeUndefined();
});
