import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ABSENCE, GROWTH, GROWTH_FROM_20 } from "../../test/golden-trust.ts";
import {
  DOMAINS_MAX,
  defaultRates,
  FALLBACK,
  newTrust,
  newTrustLedger,
  type Rates,
  recordOutcome,
  reduceTrust,
  type Trust,
  type TrustLedger,
  trustAt,
} from "./trust.ts";

type Outcome = "success" | "failure";

const DAY = 86_400_000;
const D = "shell_exec";

/** A ledger with one domain, in a state that outcomes alone may not produce. */
function ledgerWith(trust: Partial<Trust>, rates: Rates = defaultRates): TrustLedger {
  return { ...newTrustLedger, rates, domains: { [D]: { ...newTrust(0.3, 0), ...trust } } };
}

function folded(ledger: TrustLedger, outcomes: readonly Outcome[], at = 0): TrustLedger {
  return outcomes.reduce((next, outcome) => recordOutcome(next, D, outcome, at), ledger);
}

const times = (count: number, outcome: Outcome): Outcome[] => Array.from({ length: count }, () => outcome);
const of = (ledger: TrustLedger): Trust => ledger.domains[D] as Trust;

/** The score after each of `count` outcomes. */
function curve(ledger: TrustLedger, count: number, outcome: Outcome): number[] {
  return Array.from({ length: count }, (_, at) => of(folded(ledger, times(at + 1, outcome))).score);
}

describe("TR-32 TR-33 TR-34 TS-1 golden vectors", () => {
  it("TR-20 TR-21 TR-32 TS-1 growth from 0.3 without failures", () => {
    const scores = curve(newTrustLedger, 25, "success");
    expect(scores.slice(0, 10)).toEqual(GROWTH);
    expect(scores.slice(19)).toEqual(GROWTH_FROM_20);
  });

  it("TR-28 TR-33 TS-1 failure", () => {
    expect(curve(ledgerWith({ score: 0.6 }), 2, "failure")).toEqual([0.51, 0.4335]);
  });

  it("TR-23 TR-26 TR-33 TS-1 recovery from 20 operations on ends after seven successes", () => {
    const down = ledgerWith({ score: 0.51, target: 0.6, operations: 20 });
    expect(curve(down, 7, "success")).toEqual([0.5247, 0.53896, 0.55279, 0.56621, 0.57922, 0.59184, 0.60408]);
    expect(of(folded(down, times(6, "success"))).target).toBe(0.6);
    expect(of(folded(down, times(7, "success")))).not.toHaveProperty("target");
  });

  it("TR-33 TS-1 recovery without the boost would take eleven successes", () => {
    const plain = curve(ledgerWith({ score: 0.51, operations: 20 }), 11, "success");
    expect(plain.filter((score) => score >= 0.6)).toHaveLength(1);
  });

  it("TR-22 TR-23 TR-33 TS-1 TS-3 warm-up and recovery together, below 20 operations", () => {
    expect(curve(ledgerWith({ score: 0.51, target: 0.6, warmup: 5 }), 1, "success")).toEqual([0.5835]);
  });

  it.each(ABSENCE)("TR-30 TR-34 TS-1 %i days of absence reduce 0.8 to %f", (days, score) => {
    expect(trustAt(ledgerWith({ score: 0.8 }), D, days * DAY, defaultRates).score).toBe(score);
    // A day counts once it is over.
    expect(trustAt(ledgerWith({ score: 0.8 }), D, (days + 1) * DAY - 1, defaultRates).score).toBe(score);
  });
});

describe("a success", () => {
  it("TR-24 is counted and ends a series of failures", () => {
    const failing = ledgerWith({ failures: 2, operations: 2, consecutiveFailures: 2, target: 0.4 });
    const ledger = recordOutcome({ ...failing, operations: 7 }, D, "success", 5);
    expect(ledger).toMatchObject({ operations: 8, updatedAt: 5 });
    expect(of(ledger)).toMatchObject({ successes: 1, failures: 2, operations: 3, lastAt: 5, consecutiveFailures: 0 });
  });

  it("TR-21 weighs more while there are fewer than 20 earlier operations of either outcome", () => {
    expect(of(folded(ledgerWith({ score: 0, operations: 19 }), ["success"])).score).toBe(0.05);
    expect(of(folded(ledgerWith({ score: 0, operations: 20 }), ["success"])).score).toBe(0.02);
  });

  it("TR-22 TR-25 counts double during warm-up, and only successes reduce the warm-up", () => {
    const warming = ledgerWith({ score: 0, operations: 50, warmup: 2 });
    expect(of(folded(warming, ["success"]))).toMatchObject({ score: 0.04, warmup: 1 });
    expect(of(folded(warming, ["failure"]))).toMatchObject({ warmup: 2 });
    expect(of(folded(warming, times(3, "success")))).toMatchObject({ warmup: 0 });
    expect(of(folded(ledgerWith({ score: 0, warmup: 1 }), ["success"])).score).toBe(0.1);
  });

  it("TR-23 TS-3 counts more only during recovery, by the multiplier in force", () => {
    const at = { score: 0, operations: 50 };
    expect(of(folded(ledgerWith(at), ["success"])).score).toBe(0.02);
    expect(of(folded(ledgerWith({ ...at, target: 0.5 }), ["success"])).score).toBe(0.03);
    const rates = { ...defaultRates, recovery_boost_multiplier: 4 };
    expect(of(folded(ledgerWith({ ...at, target: 0.5 }, rates), ["success"])).score).toBe(0.08);
    // ×2 times ×1.5 is ×3.
    expect(of(folded(ledgerWith({ ...at, target: 0.5, warmup: 1 }), ["success"])).score).toBe(0.06);
  });

  it("TS-3 TR-5 rates missing in an older record are the defaults", () => {
    const change = { record: "trust", do: "rates", rates: { failure_decay: 0.7 } as Rates } as const;
    expect(reduceTrust(newTrustLedger, change, 1).rates).toEqual({ ...defaultRates, failure_decay: 0.7 });
  });

  it("TR-20 a score stays between 0 and 1", () => {
    const rates = { ...defaultRates, recovery_boost_multiplier: 5 };
    expect(of(folded(ledgerWith({ score: 0.99999, warmup: 9, target: 1 }, rates), ["success"])).score).toBe(1);
    expect(of(folded(ledgerWith({ score: 0 }), ["failure"])).score).toBe(0);
  });
});

describe("TS-2 a failure", () => {
  it("TR-28 is counted", () => {
    const ledger = recordOutcome(ledgerWith({ score: 0.33333 }), D, "failure", 9);
    expect(ledger).toMatchObject({ operations: 1, updatedAt: 9 });
    expect(of(ledger)).toMatchObject({ score: 0.28333, failures: 1, operations: 1, lastAt: 9 });
  });

  it("TR-29 TS-2 failures in a row are counted, and the score before the first one stays the recovery target", () => {
    const ledger = ledgerWith({ score: 0.6 });
    expect(of(folded(ledger, ["failure"]))).toMatchObject({ consecutiveFailures: 1, target: 0.6 });
    expect(of(folded(ledger, times(3, "failure")))).toMatchObject({ consecutiveFailures: 3, target: 0.6 });
    const again = folded(ledger, ["failure", "failure", "success", "failure"]);
    expect(of(again)).toMatchObject({ consecutiveFailures: 1, target: 0.6 });
    expect(of(folded(ledger, ["failure", "success"])).consecutiveFailures).toBe(0);
  });

  it("TR-26 TS-2 after recovery the next failure sets its own target", () => {
    const ledger = ledgerWith({ score: 0.51, target: 0.52, operations: 20 });
    const recovered = folded(ledger, ["success"]);
    expect(of(recovered)).not.toHaveProperty("target");
    expect(of(folded(recovered, ["failure"])).target).toBe(0.5247);
  });

  it("TR-26 TS-2 a success that reaches the target exactly ends the recovery", () => {
    const ledger = ledgerWith({ score: 0, target: 0.03, operations: 20 });
    expect(of(folded(ledger, ["success"]))).toMatchObject({ score: 0.03 });
    expect(of(folded(ledger, ["success"]))).not.toHaveProperty("target");
  });

  it("TR-27 without a target there is no recovery", () => {
    const ledger = ledgerWith({ score: 0.5, operations: 50, consecutiveFailures: 2 });
    expect(of(folded(ledger, ["success"]))).toEqual({
      ...of(ledger),
      score: 0.51,
      successes: 1,
      operations: 51,
      consecutiveFailures: 0,
    });
  });
});

describe("absence", () => {
  const away = ledgerWith({ score: 0.8, operations: 40 });

  it("TR-30 starts a new warm-up from the 15th day on", () => {
    expect(trustAt(away, D, 14 * DAY, defaultRates).warmup).toBe(0);
    expect(trustAt(away, D, 15 * DAY, defaultRates).warmup).toBe(5);
    expect(trustAt(away, D, 3 * DAY, { ...defaultRates, hibernation_days: 1, warmup_operations: 2 }).warmup).toBe(2);
  });

  it("TR-31 TS-5 costs once however often it is read, and the next outcome builds on the reduced score", () => {
    const now = 64 * DAY;
    const looks = Array.from({ length: 10 }, () => trustAt(away, D, now, defaultRates).score);
    expect(new Set(looks)).toEqual(new Set([0.761]));
    const back = recordOutcome(away, D, "success", now);
    expect(of(back)).toMatchObject({ score: 0.77056, warmup: 4, lastAt: now });
    expect(trustAt(back, D, now, defaultRates)).toEqual(of(back));
  });
});

describe("domains", () => {
  it("TR-13 an unknown domain reads the score of `_global`, else the initial one, and starts with the initial one", () => {
    expect(trustAt(newTrustLedger, "git_local", 0, { ...defaultRates, initial_score: 0.2 }).score).toBe(0.2);
    const known = { ...newTrustLedger, domains: { [FALLBACK]: newTrust(0.7, 0) } };
    expect(trustAt(known, "git_local", 0, defaultRates).score).toBe(0.7);
    expect(recordOutcome(known, "git_local", "success", 0).domains["git_local"]?.score).toBe(0.335);
  });

  it("TR-14 `_global` is not the sum of the other domains", () => {
    expect(folded(newTrustLedger, times(3, "success")).domains).not.toHaveProperty(FALLBACK);
  });

  it("names such as constructor are ordinary keys, and the number of domains is limited", () => {
    expect(trustAt(newTrustLedger, "constructor", 0, defaultRates).score).toBe(0.3);
    const names = Array.from({ length: DOMAINS_MAX + 9 }, (_, at) => `d${at}`);
    const ledger = names.reduce((next, name) => recordOutcome(next, name, "success", 0), newTrustLedger);
    expect(Object.keys(ledger.domains)).toHaveLength(DOMAINS_MAX);
  });

  it("TR-5 a change of a newer version changes nothing", () => {
    const known = ledgerWith({ score: 0.6 });
    expect(reduceTrust(known, { record: "trust", do: "raise" } as never, 5)).toBe(known);
  });
});

interface Step {
  readonly outcome: Outcome;
  /** Days since the previous step. */
  readonly days: number;
}

const anyRates: fc.Arbitrary<Rates> = fc.record({
  initial_score: fc.double({ min: 0, max: 0.5, noNaN: true }),
  hibernation_days: fc.integer({ min: 1, max: 40 }),
  boost_threshold: fc.integer({ min: 1, max: 50 }),
  warmup_operations: fc.integer({ min: 1, max: 10 }),
  failure_decay: fc.double({ min: 0.5, max: 0.999, noNaN: true }),
  recovery_boost_multiplier: fc.double({ min: 1, max: 5, noNaN: true }),
});
const anyStep: fc.Arbitrary<Step> = fc.record({
  outcome: fc.constantFrom<Outcome>("success", "failure"),
  days: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(400) }),
});
const anyDays = fc.array(anyStep, { maxLength: 60 });

function walk(
  ledger: TrustLedger,
  steps: readonly Step[],
  from = 0,
): { readonly ledger: TrustLedger; readonly now: number } {
  return steps.reduce(
    ({ ledger: before, now }, { outcome, days }) => {
      const later = now + days * DAY;
      return { ledger: recordOutcome(before, D, outcome, later), now: later };
    },
    { ledger, now: from },
  );
}

describe("any sequence of days", () => {
  it("a score stays between 0 and 1, never rises by a failure or absence, and never falls by a success", () => {
    fc.assert(
      fc.property(anyRates, anyDays, (rates, steps) => {
        let [ledger, now]: [TrustLedger, number] = [{ ...newTrustLedger, rates }, 0];
        for (const step of steps) {
          const before = trustAt(ledger, D, now, rates).score;
          now += step.days * DAY;
          const rested = trustAt(ledger, D, now, rates).score;
          ledger = recordOutcome(ledger, D, step.outcome, now);
          const { score } = of(ledger);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(rested).toBeLessThanOrEqual(before);
          if (step.outcome === "failure") expect(score).toBeLessThanOrEqual(rested);
          else expect(score).toBeGreaterThanOrEqual(rested);
        }
      }),
    );
  });

  it("folding in one go or in parts gives the same result, every time", () => {
    fc.assert(
      fc.property(anyRates, anyDays, fc.nat(60), (rates, steps, cut) => {
        const start = { ...newTrustLedger, rates };
        const first = walk(start, steps.slice(0, cut));
        // As a snapshot stores it.
        const kept = JSON.parse(JSON.stringify(first.ledger)) as TrustLedger;
        expect(walk(kept, steps.slice(cut), first.now)).toEqual(walk(start, steps));
      }),
    );
  });

  it("TR-31 reading changes nothing, at any time", () => {
    fc.assert(
      fc.property(anyRates, anyDays, fc.array(fc.nat(1_000), { maxLength: 10 }), (rates, steps, looks) => {
        const { ledger, now } = walk({ ...newTrustLedger, rates }, steps);
        const copy = structuredClone(ledger);
        const seen = trustAt(ledger, D, now + 100 * DAY, rates);
        for (const days of looks) trustAt(ledger, D, now + days * DAY, rates);
        expect(ledger).toEqual(copy);
        expect(trustAt(ledger, D, now + 100 * DAY, rates)).toEqual(seen);
      }),
    );
  });

  it("TR-26 recovery ends unless the domain keeps failing", () => {
    fc.assert(
      fc.property(anyRates, anyDays, (rates, steps) => {
        let { ledger, now } = walk({ ...newTrustLedger, rates }, steps);
        // At the slowest rate about 600 successes lead from 0 to where rounding hides a success.
        for (let count = 0; count < 1_000 && of(ledger)?.target !== undefined; count++) {
          ledger = recordOutcome(ledger, D, "success", ++now);
        }
        expect(of(ledger) ?? {}).not.toHaveProperty("target");
      }),
      { numRuns: 50 },
    );
  });

  it("rounding neither raises nor lowers a score, even with more digits from an import", () => {
    expect(trustAt(ledgerWith({ score: 0.00996 }), D, 15 * DAY, defaultRates).score).toBe(0.00996);
    const mild = { ...defaultRates, failure_decay: 0.99 };
    expect(of(folded(ledgerWith({ score: 0.000006 }, mild), ["failure"])).score).toBe(0.000006);
    expect(of(folded(ledgerWith({ score: 0.999994, operations: 50 }), ["success"])).score).toBe(0.999994);
  });

  it("TR-26 a target that rounding makes unreachable does not keep the recovery open", () => {
    const stuck = folded(ledgerWith({ score: 0.99998, target: 1, operations: 50 }), ["success"]);
    expect(of(stuck)).not.toHaveProperty("target");
  });

  it("TR-28 another decay gives another score for the same days, because the journal stores outcomes and not scores", () => {
    const steps: Step[] = [...times(5, "success"), ...times(2, "failure")].map((outcome) => ({ outcome, days: 0 }));
    const scores = [0.85, 0.7].map((failure_decay) => {
      const rates = { ...defaultRates, failure_decay };
      return of(walk({ ...newTrustLedger, rates }, steps).ledger).score;
    });
    expect(scores).toEqual([0.33117, 0.2246]);
  });
});
