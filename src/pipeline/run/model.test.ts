/** Made-up plans with made-up outcomes: whatever happens, a run ends or waits for a person, within its budget. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { own } from "../../lib/keyed.ts";
import { MODELS } from "../../state/models.ts";
import { CAUSES } from "../../state/runs/records.ts";
import type { Batch, Step } from "../definition.ts";
import type { Plan } from "../plan.ts";
import { examplePlan, exampleStep, goesBackTo, personsGate, times } from "./example-plan.ts";
import { type Outcome, play } from "./example-run.ts";
import { asksPerson, nodesOf } from "./nodes.ts";

const SEQUENCES = Number(process.env["SEKISHO_SEQUENCES"] ?? 2000);

const kinds = ["work", "work", "automatic", "gate", "person", "reviewed", "batches"] as const;

const anyStep = fc.record({
  kind: fc.constantFrom(...kinds),
  retries: fc.option(fc.nat({ max: 3 }), { nil: null }),
  autoFix: fc.boolean(),
  isOptional: fc.boolean(),
  isAtomic: fc.boolean(),
  backBy: fc.option(fc.nat({ max: 3 }), { nil: null }),
  needs: fc.option(fc.array(fc.nat({ max: 5 }), { maxLength: 2 }), { nil: null }),
  model: fc.constantFrom(null, ...MODELS),
  ceiling: fc.option(fc.nat({ max: 3 }), { nil: null }),
  isRed: fc.boolean(),
  interval: fc.nat({ max: 2 }),
});

type Drawn = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const BATCHES: readonly Batch[] = [
  { name: "data", parallel: true, items: ["a", "b", "c"] },
  { name: "test", parallel: false, items: ["d", "e"] },
];

function stepOf(drawn: Drawn, at: number, count: number): Step {
  const back = drawn.backBy === null ? null : Math.max(0, at - drawn.backBy);
  const retry =
    drawn.retries === null
      ? {}
      : { retry: times(drawn.retries, { autoFix: drawn.autoFix, intervalSeconds: drawn.interval }) };
  const common: Partial<Step> = {
    ...retry,
    optional: drawn.isOptional,
    atomic: drawn.isAtomic,
    ...(back !== null && { compensation: goesBackTo(`s${back}`) }),
    ...(drawn.needs && { dependsOn: drawn.needs.map((n) => `s${n % count}`) }),
    model: drawn.model,
    budget: { maxUsd: drawn.ceiling, maxTokens: null, maxAgents: null, maxRuntimeSeconds: null },
  };
  const id = `s${at}`;
  if (drawn.kind === "person") return personsGate(id, common);
  if (drawn.kind === "reviewed") return exampleStep(id, { ...common, requiresUser: true });
  if (drawn.kind === "batches") return exampleStep(id, { ...common, batches: BATCHES });
  const phase = drawn.kind === "work" && drawn.isRed ? ({ tddPhase: at % 2 === 0 ? "red" : "green" } as const) : {};
  return exampleStep(id, { ...common, ...phase, type: drawn.kind });
}

const anyOutcome = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant("done" as const),
      cost: fc.option(fc.nat({ max: 100 }), { nil: null }),
      evidence: fc.boolean(),
      red: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant("fail" as const),
      cost: fc.option(fc.nat({ max: 100 }), { nil: null }),
      cause: fc.constantFrom(...CAUSES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("dies" as const, "stopped" as const) }) },
);

const anyStory = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
  outcomes: fc.infiniteStream(anyOutcome),
  answers: fc.infiniteStream(fc.constantFrom("approve" as const, "approve" as const, "reject" as const, undefined)),
  forged: fc.infiniteStream(fc.boolean()),
  order: fc.infiniteStream(fc.nat({ max: 9 })),
  total: fc.nat({ max: 8 }),
  usd: fc.option(fc.nat({ max: 12 }), { nil: null }),
  agents: fc.option(fc.nat({ max: 12 }), { nil: null }),
  width: fc.integer({ min: 1, max: 3 }),
  fixChanges: fc.boolean(),
  leftOut: fc.nat({ max: 12 }),
});

const planOfStory = (steps: readonly Drawn[], total: number): Plan =>
  examplePlan(
    steps.map((drawn, at) => stepOf(drawn, at, steps.length)),
    {},
    total,
  );

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

it(`TS-40 PL-14 PL-18 ${SEQUENCES} made-up runs end in passed, failed, partial or wait for a person, within their budget, in order`, () => {
  const ends = new Map<string, number>();
  fc.assert(
    fc.property(
      anyStory,
      ({ steps, outcomes, answers, forged, order, total, usd, agents, width, fixChanges, leftOut }) => {
        const plan = planOfStory(steps, total);
        const nodes = nodesOf(plan);
        let paid = 0;
        const limits = { ...(usd !== null && { usd }), ...(agents !== null && { agents }) };
        const { run, approvals, waits } = play(plan, {
          limits,
          fixChanges,
          forges: () => forged.next().value,
          around: {
            width,
            leftOut: ({ id, optional }) => (optional && id === `s${leftOut}` ? "not wanted" : undefined),
          },
          outcome(move) {
            const drawn = outcomes.next().value;
            if (drawn.is === "dies" || drawn.is === "stopped") {
              paid += move.model ? (move.allowance.usd ?? 0) : 0;
              return { is: drawn.is };
            }
            // No pass costs more than it was allowed; one of unknown cost says nothing.
            const most = move.allowance.usd ?? 1;
            const cost = drawn.cost === null || !move.model ? {} : { usd: (most * drawn.cost) / 100 };
            paid += move.model ? (cost.usd ?? move.allowance.usd ?? 0) : 0;
            if (drawn.is === "fail") return { is: "fail", cause: drawn.cause, ...cost };
            const isRed = drawn.red && move.node.step.tddPhase === "red";
            return {
              is: "done",
              evidence: drawn.evidence ? ["e1"] : [],
              ...(isRed && { red: "t" }),
              ...cost,
            } satisfies Outcome;
          },
          answer: () => answers.next().value,
          order: (count) => order.next().value % Math.max(1, count),
          onMove(move, before, given) {
            if (move.do !== "begin") return;
            const { node } = move;
            for (const key of node.after) {
              const need = nodes.find((one) => one.key === key);
              const stands = own(before.steps, key)?.status;
              const isAnswered =
                !need || !asksPerson(need) || Object.keys(given).some((name) => name.startsWith(`r1 ${key} `));
              const isOver =
                stands === "skipped" ||
                (stands === "failed" && need?.step.optional) ||
                (stands === "done" && isAnswered);
              must(isOver, `${node.key} began while ${key} was ${stands}`);
            }
            if (node.red !== null) must(own(before.steps, node.red)?.red !== undefined, "green before red");
            const others = Object.entries(before.steps).filter(([, { begun }]) => begun);
            must(others.length < width, "more at once than may be");
            for (const [key] of others) must(nodes.find((one) => one.key === key)?.group === node.group, "two at once");
            // A step that is done isn't begun again unless something took it back.
            must(!["done", "skipped", "failed"].includes(own(before.steps, node.key)?.status ?? ""), "done twice");
            const promised = others.reduce(
              (sum, [, { begun }]) => sum + (begun?.ceiling ?? 0),
              move.allowance.usd ?? 0,
            );
            const bound = before.spent.usd + before.spent.assumed + promised;
            if (usd !== null && move.model) must(bound <= usd + 1e-9, "over its budget");
            if (agents !== null && move.model) must(before.spent.agents < agents, "more agents than it may start");
          },
        });
        expect(run.retries).toBeLessThanOrEqual(total + 1 + 3);
        if (usd !== null) must(paid <= usd + 1e-9, `paid ${paid} of ${usd}`);
        const end = run.ended?.verdict ?? (waits ? "waits" : "stopped");
        ends.set(end, (ends.get(end) ?? 0) + 1);
        if (end === "passed") {
          for (const node of nodes) {
            const step = own(run.steps, node.key);
            expect(["done", "skipped"]).toContain(step?.status);
            const given = approvals[`r1 ${node.key} ${step?.attempt}`];
            if (asksPerson(node) && step?.status === "done")
              must(given?.is === "approve", `nobody approved ${node.key}`);
          }
        }
      },
    ),
    { numRuns: SEQUENCES },
  );
  // The stories are not all of one kind.
  for (const end of ["passed", "failed", "partial", "waits", "stopped"]) expect(ends.get(end), end).toBeGreaterThan(0);
});
