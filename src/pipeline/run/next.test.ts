import { describe, expect, it } from "vitest";
import { examplePlan, exampleStep, goesBackTo, personsGate, times } from "./example-plan.ts";
import { type Outcome, play, type Telling } from "./example-run.ts";

const gate = (id: string, more = {}) => exampleStep(id, { type: "gate", ...more });

/** The nth pass of a step, from 1, with what becomes of it; all else is done. */
function outcomes(table: Readonly<Record<string, readonly Outcome[]>>): Telling["outcome"] {
  return ({ node, attempt }) => {
    const told = table[node.key]?.[attempt - 1] ?? ({ is: "done" } as const);
    return told.is === "done" && node.step.tddPhase === "red" ? { red: "adds", ...told } : told;
  };
}

const no: Outcome = { is: "fail" };
const yes: Outcome = { is: "done", evidence: ["e1"] };

describe("TS-40 the order of a tier", () => {
  it("PL-3 steps run one after the other, and the run passes", () => {
    const { trail, run } = play(examplePlan([exampleStep("a"), gate("b"), exampleStep("c")]), {
      outcome: outcomes({}),
    });
    expect(trail).toEqual(["begin a haiku", "begin b", "begin c haiku", "end passed"]);
    expect(run.ended?.verdict).toBe("passed");
  });

  it("PL-15 batches run in listed order, the items of a parallel one at the same time", () => {
    const batches = [
      { name: "data", parallel: true, items: ["x", "y", "z"] },
      { name: "test", parallel: false, items: ["p", "q"] },
    ];
    const atOnce: number[] = [];
    const { trail } = play(examplePlan([exampleStep("impl", { batches }), gate("dod")]), {
      outcome: outcomes({}),
      around: { width: 2 },
      onMove: (move, { steps }) => {
        if (move.do === "begin") atOnce.push(Object.values(steps).filter(({ begun }) => begun).length);
      },
    });
    expect(trail).toEqual([
      ...["x", "y", "z"].map((item) => `begin impl/data/${item} haiku`),
      ...["p", "q"].map((item) => `begin impl/test/${item} haiku`),
      "begin dod",
      "end passed",
    ]);
    expect(atOnce).toEqual([0, 1, 1, 0, 0, 0]);
  });

  it("PL-11 PL-18 what passed in a batch is kept when another item fails for good", () => {
    const batches = [{ name: "data", parallel: true, items: ["x", "y", "z"] }];
    const plan = (atomic: boolean) => examplePlan([exampleStep("impl", { batches, atomic }), exampleStep("after")]);
    const { trail, run } = play(plan(false), { outcome: outcomes({ "impl/data/y": [no] }), around: { width: 1 } });
    expect(trail).toContain("begin impl/data/z haiku");
    expect(trail).not.toContain("begin after haiku");
    expect(run.ended).toMatchObject({ verdict: "partial", why: "impl/data/y failed: no" });
    expect(play(plan(true), { outcome: outcomes({ "impl/data/y": [no] }) }).run.ended?.verdict).toBe("failed");
  });

  it("PL-8 a green step may not begin before its test was seen failing", () => {
    const steps = [exampleStep("test", { tddPhase: "red" }), exampleStep("fix", { tddPhase: "green" })];
    const unseen = play(examplePlan(steps), { outcome: () => ({ is: "done" }) });
    expect(unseen.trail).toEqual(["begin test haiku", "end failed"]);
    expect(unseen.run.ended?.why).toContain("was not seen failing");
    expect(play(examplePlan(steps), { outcome: outcomes({}) }).run.ended?.verdict).toBe("passed");
  });
});

describe("TS-40 retries", () => {
  it("PL-10 a step is tried again as often as it says, without counting the first try", () => {
    const plan = examplePlan([exampleStep("a", { retry: times(1) })]);
    expect(play(plan, { outcome: outcomes({ a: [no] }) }).trail).toEqual([
      ...["begin a haiku", "retry a", "begin a haiku", "end passed"],
    ]);
    expect(play(plan, { outcome: outcomes({ a: [no, no] }) }).run.ended).toMatchObject({ verdict: "failed" });
  });

  it("PL-4 what runs by itself runs once, unless its retries are written", () => {
    const once = exampleStep("a", { type: "automatic", retry: { ...times(2), isWritten: false } });
    expect(play(examplePlan([once]), { outcome: outcomes({ a: [no] }) }).trail).toEqual([
      ...["begin a", "give-up a", "end failed"],
    ]);
    const twice = exampleStep("a", { type: "automatic", retry: times(2) });
    expect(play(examplePlan([twice]), { outcome: outcomes({ a: [no] }) }).run.ended?.verdict).toBe("passed");
  });

  it("PL-14 too many retries in all end the run, whatever the steps allow", () => {
    const steps = ["a", "b", "c"].map((id) => exampleStep(id, { retry: times(2) }));
    const { run } = play(examplePlan(steps, {}, 3), { outcome: outcomes({ a: [no, no], b: [no, no] }) });
    expect(run.ended).toMatchObject({ verdict: "failed", why: "more than 3 retries in all, the last for b" });
    expect(run.steps["b"]?.attempt).toBe(2);
  });

  it.each(["auth", "refused"] as const)(
    "PL-19 nobody repeats a step that failed for lack of permission (%s)",
    (cause) => {
      const plan = examplePlan([exampleStep("a", { retry: times(3) })]);
      const telling = { outcome: outcomes({ a: [{ is: "fail", cause }] }) } as const;
      const { waits, trail } = play(plan, telling);
      expect(trail).toEqual(["begin a haiku", "hold a", "wait a"]);
      expect(waits?.why).toBe(`a needs a person (${cause}): no`);
      const after = play(plan, { ...telling, answer: () => "approve" });
      expect(after.trail.slice(2)).toEqual(["wait a", "release a", "begin a haiku", "end passed"]);
      expect(play(plan, { ...telling, answer: () => "reject" }).run.ended?.verdict).toBe("failed");
    },
  );

  it("a step whose process nobody governed is not repeated", () => {
    const plan = examplePlan([exampleStep("a", { retry: times(3) })]);
    const { trail } = play(plan, { outcome: outcomes({ a: [{ is: "fail", cause: "ungoverned" }] }) });
    expect(trail).toEqual(["begin a haiku", "give-up a", "end failed"]);
  });

  it("the third loss of its runner fails a step; a runner that was stopped counts against nothing", () => {
    const plan = examplePlan([exampleStep("a", { retry: times(3) })]);
    const dies: Outcome = { is: "dies" };
    expect(play(plan, { outcome: outcomes({ a: [dies, dies] }) }).run).toMatchObject({
      ended: { verdict: "passed" },
      retries: 2,
    });
    const { run } = play(plan, { outcome: outcomes({ a: [dies, dies, dies] }) });
    expect(run.ended).toMatchObject({ verdict: "failed", why: "a failed: its runner was lost 3 times in it" });
    const { run: stopped } = play(plan, { outcome: outcomes({ a: [{ is: "stopped" }] }) });
    expect(stopped).toMatchObject({ retries: 0, steps: { a: { status: "open", lost: 0, attempt: 1 } } });
  });
});

describe("TS-40 the model ladder", () => {
  const fails = (count: number): readonly Outcome[] => Array.from({ length: count }, () => no);

  it("PL-13 three failures lead to the next model, and on the last one to the person", () => {
    const plan = examplePlan([exampleStep("fix", { retry: times(3) })], {}, 20);
    const { trail, waits } = play(plan, { outcome: outcomes({ fix: fails(9) }) });
    const tries = (model: string) => [
      `begin fix ${model}`,
      "retry fix",
      `begin fix ${model}`,
      "retry fix",
      `begin fix ${model}`,
    ];
    expect(trail.filter((move) => move !== "retry fix")).toEqual(
      [
        ...tries("haiku"),
        "escalate fix sonnet",
        ...tries("sonnet"),
        "escalate fix opus",
        ...tries("opus"),
        "hold fix",
        "wait fix",
      ].filter((move) => move !== "retry fix"),
    );
    expect(waits?.why).toBe("opus is the last model, and it failed 3 times: no");
  });

  it("PL-13 it begins with the model of the step and respects the highest one allowed", () => {
    const step = exampleStep("fix", { retry: times(3), model: "sonnet" });
    const { trail } = play(examplePlan([step]), { outcome: outcomes({ fix: fails(3) }) });
    expect(trail).toContain("escalate fix opus");
    const capped = play(examplePlan([step], { maxModel: "sonnet" }), { outcome: outcomes({ fix: fails(3) }) });
    expect(capped.trail.slice(-2)).toEqual(["hold fix", "wait fix"]);
    const low = play(examplePlan([step]), { outcome: outcomes({}), around: { maxModel: "haiku" } });
    expect(low.trail[0]).toBe("begin fix haiku");
  });
});

describe("TS-40 gates", () => {
  it("PL-11 a gate that fails goes back to the step its compensation names", () => {
    const steps = [
      ...[exampleStep("spec"), exampleStep("other", { dependsOn: [] }), exampleStep("impl", { dependsOn: ["spec"] })],
      gate("ready", { dependsOn: ["impl", "other"], compensation: goesBackTo("spec"), retry: times(2) }),
    ];
    const { trail } = play(examplePlan(steps), { outcome: outcomes({ ready: [{ is: "fail", cause: "gate" }] }) });
    expect(trail).toEqual([
      ...["begin spec haiku", "begin other haiku", "begin impl haiku", "begin ready", "compensate ready spec"],
      ...["begin spec haiku", "begin impl haiku", "begin ready", "end passed"],
    ]);
  });

  it("PL-16 the third No-Go fails the run", () => {
    const steps = [exampleStep("spec"), gate("ready", { compensation: goesBackTo("spec"), retry: times(2) })];
    const { run } = play(examplePlan(steps), { outcome: outcomes({ ready: [no, no, no] }) });
    expect(run.ended?.verdict).toBe("failed");
    expect(run.steps["spec"]?.attempt).toBe(3);
  });

  it("PL-16 the gate of a person is passed by a person, and by nothing that somebody wrote", () => {
    const plan = examplePlan([exampleStep("a"), personsGate("ok"), exampleStep("b")]);
    const alone = play(plan, { outcome: outcomes({}), forges: () => true });
    expect(alone.trail).toEqual(["begin a haiku", "gate ok", "wait ok"]);
    const { trail, run } = play(plan, { outcome: outcomes({}), answer: () => "approve" });
    expect(trail).toEqual(["begin a haiku", "gate ok", "wait ok", "answer ok", "begin b haiku", "end passed"]);
    expect(run.steps["ok"]?.approval).toBe("p1");
    expect(play(plan, { outcome: outcomes({}), answer: () => "reject" }).run.ended?.verdict).toBe("failed");
  });

  it("PL-4 a fix runs once for each failed pass; what it changes makes earlier evidence void", () => {
    const steps = [
      exampleStep("a"),
      exampleStep("apply", { type: "automatic" }),
      gate("lint"),
      gate("quality", { retry: times(2, { autoFix: true }), compensation: goesBackTo("a") }),
    ];
    const telling = { outcome: outcomes({ apply: [yes], lint: [yes, yes], quality: [no] }) };
    expect(play(examplePlan(steps), telling).trail).toEqual([
      ...["begin a haiku", "begin apply", "begin lint", "begin quality", "fix quality", "retry quality"],
      ...["begin lint", "begin quality", "end passed"],
    ]);
    expect(play(examplePlan(steps), { ...telling, fixChanges: false }).trail.slice(4)).toEqual([
      ...["fix quality", "retry quality", "begin quality", "end passed"],
    ]);
  });
});

describe("budgets", () => {
  const steps = [exampleStep("a", { retry: times(9) })];
  const plan = examplePlan(
    steps,
    {
      global: {
        ...examplePlan(steps).pipeline.global,
        modelFallback: { enabled: false, order: ["haiku"], maxFailuresBeforeEscalation: 3 },
      },
    },
    99,
  );

  it("a pass is not begun when the last one cost more than is left", () => {
    const { run, trail } = play(plan, { outcome: () => ({ is: "fail", usd: 0.4 }), limits: { usd: 1 } });
    expect(trail.filter((move) => move === "begin a haiku")).toHaveLength(2);
    expect(run.spent.usd).toBe(0.8);
    expect(run.ended?.why).toBe("the budget: $0.8 of $1 are used, and the last pass of a cost $0.4");
  });

  it("a pass of unknown cost counts by what it was allowed", () => {
    const { run } = play(plan, { outcome: () => ({ is: "fail" }), limits: { usd: 1 } });
    expect(run.spent).toMatchObject({ usd: 0, assumed: 1, agents: 1 });
    expect(run.ended?.why).toContain("up to $1 more by passes of unknown cost");
    const free = play(plan, { outcome: () => ({ is: "done" }) });
    expect(free.run.spent).toMatchObject({ assumed: 0, unknown: 1 });
  });

  it("limits of agents, tokens and time hold, and work that passed makes the run partial", () => {
    const two = examplePlan([exampleStep("a"), exampleStep("b")]);
    const { run } = play(two, { outcome: outcomes({}), limits: { agents: 1 } });
    expect(run.ended).toMatchObject({
      verdict: "partial",
      why: "the budget: 1 agent was started, and that is all it may start",
    });
    expect(play(two, { outcome: outcomes({}), limits: { ms: 1 } }).run.ended?.verdict).toBe("partial");
  });
});
