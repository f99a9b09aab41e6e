import { describe, expect, it } from "vitest";
import { ABSENCE } from "../../test/golden-trust.ts";
import { defaultRates, newTrust, newTrustLedger, recordOutcome, reduceTrust } from "../state/trust.ts";
import { trustScores } from "./trust-scores.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1, 8);
const scores = (ledger = newTrustLedger, now = START) => trustScores(ledger, now, defaultRates);

describe("the ledger as trust-scores.json", () => {
  it("TR-12 contains only the fallback at the initial score while nothing was recorded", () => {
    expect(scores()).toEqual({
      version: "2",
      updated_at: "2026-03-01T08:00:00Z",
      global_operation_count: 0,
      domains: {
        _global: {
          score: 0.3,
          successes: 0,
          failures: 0,
          total_operations: 0,
          last_operated_at: "2026-03-01T08:00:00Z",
          is_warming_up: false,
          warmup_remaining: 0,
          consecutive_failures: 0,
          pre_failure_score: null,
          is_recovering: false,
        },
      },
    });
  });

  it("TR-10 TR-11 has every field by its name, with the counts", () => {
    const outcomes = ["success", "failure", "failure"] as const;
    const ledger = outcomes.reduce(
      (l, outcome, at) => recordOutcome(l, "shell_exec", outcome, START + at * 1000),
      newTrustLedger,
    );
    const told = scores(ledger, START + DAY);
    expect(told).toMatchObject({ version: "2", updated_at: "2026-03-01T08:00:02Z", global_operation_count: 3 });
    expect(told.domains["shell_exec"]).toEqual({
      score: 0.24204,
      successes: 1,
      failures: 2,
      total_operations: 3,
      last_operated_at: "2026-03-01T08:00:02Z",
      is_warming_up: false,
      warmup_remaining: 0,
      consecutive_failures: 2,
      pre_failure_score: 0.335,
      is_recovering: true,
    });
  });

  it("TR-20 TR-28 rounds decimal halves up despite binary fractions", () => {
    const imported = { record: "trust", do: "import", first: true, operations: 0 } as const;
    const domains = { shell_exec: newTrust(0.36825, START) };
    const rates = { ...defaultRates, failure_decay: 0.7 };
    const ledger = { ...reduceTrust(newTrustLedger, { ...imported, domains }, START), rates };
    expect(scores(recordOutcome(ledger, "shell_exec", "failure", START)).domains["shell_exec"]?.score).toBe(0.25778);
  });

  it("TR-14 the fallback is not the sum of the other domains", () => {
    const ledger = recordOutcome(newTrustLedger, "file_read", "success", START);
    expect(scores(ledger).domains["_global"]).toMatchObject({ score: 0.3, total_operations: 0 });
  });

  it.each(ABSENCE)(
    "TR-34 TS-1 shows 0.8 after %i days of absence as %d, however often it is read",
    (days, expected) => {
      const imported = { record: "trust", do: "import", first: true, operations: 1 } as const;
      const domains = { git_local: { ...newTrust(0.8, START), operations: 1, successes: 1 } };
      const ledger = reduceTrust(newTrustLedger, { ...imported, domains }, START);
      for (let looks = 0; looks < 3; looks++) {
        expect(scores(ledger, START + days * DAY).domains["git_local"]).toMatchObject({
          score: expected,
          is_warming_up: days > 14,
          warmup_remaining: days > 14 ? 5 : 0,
          last_operated_at: "2026-03-01T08:00:00Z",
        });
      }
    },
  );
});
