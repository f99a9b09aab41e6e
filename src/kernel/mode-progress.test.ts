import { describe, expect, it } from "vitest";
import type { CheckStanding, CheckState } from "../evidence/verification.ts";
import type { Mode } from "../state/session/modes.ts";
import type { Plan } from "./facts.ts";
import { planOf, sameError, signatureOf, stallOf } from "./mode-progress.ts";

describe("TS-31 MD-54 the same error three times", () => {
  it("is found when all entries are equal", () => {
    expect(sameError(["failed at 1/3: test", "failed at 1/3: test", "failed at 1/3: test"])).toBe(
      "failed at 1/3: test",
    );
    expect(sameError(["analyze:false,test:true", "analyze:false,test:true", "analyze:false,test:true"])).toBe(
      "analyze:false",
    );
  });

  it("is found when one component fails in all three", () => {
    expect(sameError(["lint:true,test:false", "lint:false,test:false", "lint:true,test:false"])).toBe("test:false");
    expect(sameError(["lint:false,test:false", "test:false", "test:false,lint:true"])).toBe("test:false");
  });

  it.each([["false"], ["FAIL"], ["fail"], ["error"], ["null"]])("%s counts as failing", (word) => {
    const entries = [`test:${word},lint:true`, `test:${word},lint:true,build:true`, `test:false`];
    expect(sameError(entries)).toBe(`test:${word}`);
  });

  it("is not found when different components fail", () => {
    expect(sameError(["lint:false,test:true", "lint:true,test:false", "lint:false,test:true"])).toBeUndefined();
    expect(sameError(["failed at 1/3: test", "failed at 2/3: test", "failed at 2/3: test"])).toBeUndefined();
    expect(sameError(["test:false", "test:true", "test:false"])).toBeUndefined();
  });

  it("considers only the last three entries", () => {
    const failing = ["test:false", "test:false", "test:false"];
    expect(sameError(["test:true", ...failing])).toBe("test:false");
    expect(sameError([...failing, "test:true"])).toBeUndefined();
  });

  it("is not found with fewer than three entries", () => {
    expect(sameError(undefined)).toBeUndefined();
    expect(sameError([])).toBeUndefined();
    expect(sameError(["test:false", "test:false"])).toBeUndefined();
  });

  it("counts a null result as a failure, but not an empty entry", () => {
    expect(sameError(["lint:true,test:null", "lint:true,test:null", "lint:true,test:null"])).toBe("test:null");
    expect(sameError(["", "", ""])).toBeUndefined();
  });

  it("is not found when everything passed", () => {
    expect(sameError(["lint:true,test:true", "lint:true,test:true", "lint:true,test:true"])).toBeUndefined();
  });

  it("compares whole component names", () => {
    expect(sameError(["test:false", "test2:false", "test:false"])).toBeUndefined();
  });
});

const standing = (check: CheckStanding["check"], how: CheckState): CheckStanding => ({ check, standing: how });

describe("MD-60 the signature of check results", () => {
  it("contains passed and failed, and null for everything else", () => {
    expect(signatureOf([standing("lint", "passed"), standing("test", "failed"), standing("build", "stale")])).toBe(
      "lint:true,test:false,build:null",
    );
  });

  it("is undefined when no result is known", () => {
    expect(signatureOf([])).toBeUndefined();
    expect(signatureOf([standing("test", "missing"), standing("lint", "partial")])).toBeUndefined();
  });
});

const DAY = 24 * 3600 * 1000;
const mode: Mode = { since: 10 * DAY, by: "prompt", task: "", count: 0, max: 20 };
const plan: Plan = {
  path: ".tmp/plans/a.md",
  modified: 10 * DAY + 5,
  told: false,
  own: true,
  done: 1,
  total: 3,
  open: ["b", "c"],
};

describe("stalled work", () => {
  it("is described by the failing checks and the number of ticked boxes", () => {
    expect(stallOf(plan, [standing("test", "failed"), standing("lint", "passed")])).toBe("failed at 1/3: test");
    expect(stallOf("missing", [standing("test", "failed")])).toBe("failed: test");
    expect(stallOf(undefined, [standing("test", "failed"), standing("lint", "failed")])).toBe("failed: test lint");
  });

  it("a box ticked in between counts as progress", () => {
    const failed = [standing("test", "failed")];
    const entries = [1, 2, 2].map((done) => stallOf({ ...plan, done }, failed) ?? "");
    expect(sameError(entries)).toBeUndefined();
    expect(sameError([...entries, stallOf({ ...plan, done: 2 }, failed) ?? ""])).toBe("failed at 2/3: test");
  });

  it("missing and stale checks do not count as failed", () => {
    expect(stallOf(plan, [standing("test", "missing"), standing("lint", "stale")])).toBeUndefined();
    expect(stallOf(plan, [])).toBeUndefined();
  });
});

describe("MD-56 the plan of a mode", () => {
  it("there is none without plan files", () => {
    expect(planOf(mode, [])).toBeUndefined();
  });

  it("is the plan the mode was bound to, and no other", () => {
    const bound = { ...mode, plan: "PLAN.md" };
    const other = { ...plan, path: "PLAN.md", modified: 0, own: false, done: 3, open: [] };
    expect(planOf(bound, [plan, other])).toBe(other);
    expect(planOf(bound, [plan])).toBe("missing");
    expect(planOf(bound, [])).toBe("missing");
  });

  it.each([
    ["the agent's own of this run", plan, true],
    ["one of this run with all boxes ticked", { ...plan, done: 3 }, true],
    ["the agent's own, open, of the last day", { ...plan, modified: 9 * DAY }, true],
    ["an older one", { ...plan, modified: 9 * DAY - 1 }, false],
    ["one that was done before it began", { ...plan, modified: 10 * DAY - 1, done: 3 }, false],
    ["one that the task names, however old", { ...plan, modified: 0, told: true, own: false }, true],
    ["one that the task names, and that was done", { ...plan, modified: 0, told: true, done: 3 }, false],
    ["a person's, untouched in this run", { ...plan, own: false, modified: 10 * DAY - 1 }, false],
    ["a person's that was changed in this run", { ...plan, own: false }, true],
  ])("%s", (_, one, holds) => {
    expect(planOf(mode, [one]) === one).toBe(holds);
  });

  it("is the first suitable plan", () => {
    const old = { ...plan, path: "old.md", modified: 0 };
    const second = { ...plan, path: "second.md" };
    expect(planOf(mode, [old, plan, second])).toBe(plan);
  });
});
