import { describe, expect, it } from "vitest";
import type { Mode } from "../state/modes.ts";
import type { Plan } from "./facts.ts";
import { planOf, sameError, signatureOf, stallOf } from "./mode-progress.ts";
import type { CheckStanding, Standing } from "./verification.ts";

describe("TS-31 MD-54 the same error three times", () => {
  it("equal", () => {
    expect(sameError(["failed at 1/3: test", "failed at 1/3: test", "failed at 1/3: test"])).toBe(
      "failed at 1/3: test",
    );
    expect(sameError(["analyze:false,test:true", "analyze:false,test:true", "analyze:false,test:true"])).toBe(
      "analyze:false",
    );
  });

  it("a component that fails in all three, whatever else does", () => {
    expect(sameError(["lint:true,test:false", "lint:false,test:false", "lint:true,test:false"])).toBe("test:false");
    expect(sameError(["lint:false,test:false", "test:false", "test:false,lint:true"])).toBe("test:false");
  });

  it.each([["false"], ["FAIL"], ["fail"], ["error"], ["null"]])("%s is failing", (word) => {
    const entries = [`test:${word},lint:true`, `test:${word},lint:true,build:true`, `test:false`];
    expect(sameError(entries)).toBe(`test:${word}`);
  });

  it("mixed: each time another one", () => {
    expect(sameError(["lint:false,test:true", "lint:true,test:false", "lint:false,test:true"])).toBeUndefined();
    expect(sameError(["failed at 1/3: test", "failed at 2/3: test", "failed at 2/3: test"])).toBeUndefined();
    expect(sameError(["test:false", "test:true", "test:false"])).toBeUndefined();
  });

  it("only the last three count, and the first of those says which component", () => {
    const failing = ["test:false", "test:false", "test:false"];
    expect(sameError(["test:true", ...failing])).toBe("test:false");
    expect(sameError([...failing, "test:true"])).toBeUndefined();
  });

  it("too few", () => {
    expect(sameError(undefined)).toBeUndefined();
    expect(sameError([])).toBeUndefined();
    expect(sameError(["test:false", "test:false"])).toBeUndefined();
  });

  it("null: what has no answer three times is a failure of that component, and no text at all is none", () => {
    expect(sameError(["lint:true,test:null", "lint:true,test:null", "lint:true,test:null"])).toBe("test:null");
    expect(sameError(["", "", ""])).toBeUndefined();
  });

  it("all well three times is no error", () => {
    expect(sameError(["lint:true,test:true", "lint:true,test:true", "lint:true,test:true"])).toBeUndefined();
  });

  it("a name that only begins like another is another", () => {
    expect(sameError(["test:false", "test2:false", "test:false"])).toBeUndefined();
  });
});

const standing = (check: CheckStanding["check"], how: Standing): CheckStanding => ({ check, standing: how });

describe("MD-60 how the checks stand, in a word", () => {
  it("passed and failed are known, everything else is null", () => {
    expect(signatureOf([standing("lint", "passed"), standing("test", "failed"), standing("build", "stale")])).toBe(
      "lint:true,test:false,build:null",
    );
  });

  it("nothing known is no signature", () => {
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

describe("work that stands still", () => {
  it("is told by what fails and how many boxes are ticked", () => {
    expect(stallOf(plan, [standing("test", "failed"), standing("lint", "passed")])).toBe("failed at 1/3: test");
    expect(stallOf("missing", [standing("test", "failed")])).toBe("failed: test");
    expect(stallOf(undefined, [standing("test", "failed"), standing("lint", "failed")])).toBe("failed: test lint");
  });

  it("a box that was ticked in between is progress", () => {
    const failed = [standing("test", "failed")];
    const entries = [1, 2, 2].map((done) => stallOf({ ...plan, done }, failed) ?? "");
    expect(sameError(entries)).toBeUndefined();
    expect(sameError([...entries, stallOf({ ...plan, done: 2 }, failed) ?? ""])).toBe("failed at 2/3: test");
  });

  it("what was not run, or is out of date, fails nothing", () => {
    expect(stallOf(plan, [standing("test", "missing"), standing("lint", "stale")])).toBeUndefined();
    expect(stallOf(plan, [])).toBeUndefined();
  });
});

describe("MD-56 the plan that a mode is held to", () => {
  it("none where there is none", () => {
    expect(planOf(mode, [])).toBeUndefined();
  });

  it("the one that it was held to before, and no other", () => {
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

  it("the first that may", () => {
    const old = { ...plan, path: "old.md", modified: 0 };
    const second = { ...plan, path: "second.md" };
    expect(planOf(mode, [old, plan, second])).toBe(plan);
  });
});
