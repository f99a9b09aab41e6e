/** The golden vectors, sent as real payloads and read back with the commands. */
import { describe, expect, it } from "vitest";
import { ABSENCE, AUTONOMY, GROWTH, GROWTH_FROM_20 } from "../golden-trust.ts";
import { openStage } from "./stage.ts";
import { begin, curveOf, given, json, ledgerOf, scores, work } from "./trust-work.ts";

const DAY = 86_400_000;

describe("the ledger as the commands show it", () => {
  it("TR-10 TR-12 exists from the start, with the fallback alone", () => {
    const stage = openStage();
    expect(ledgerOf(stage)).toMatchObject({
      version: "2",
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      global_operation_count: 0,
    });
    expect(ledgerOf(stage).domains).toEqual({
      _global: {
        score: 0.3,
        successes: 0,
        failures: 0,
        total_operations: 0,
        last_operated_at: expect.stringMatching(/Z$/),
        is_warming_up: false,
        warmup_remaining: 0,
        consecutive_failures: 0,
        pre_failure_score: null,
        is_recovering: false,
      },
    });
  });

  it("TS-1 TR-32 grows from 0.3 by the golden vector", () => {
    const stage = begin();
    work(stage, "s".repeat(25), "Read");
    const curve = scores(curveOf(stage, "file_read"));
    expect(curve.slice(0, 10)).toEqual(GROWTH);
    expect(curve.slice(19)).toEqual(GROWTH_FROM_20);
    const { domains, global_operation_count } = ledgerOf(stage);
    expect(domains["file_read"]).toMatchObject({ score: 0.77317, successes: 25, total_operations: 25 });
    expect(global_operation_count).toBe(25);
    // TR-14: the fallback is not a sum of the others.
    expect(domains["_global"]).toMatchObject({ score: 0.3, total_operations: 0 });
  });

  it("TS-1 TR-33 TR-11 falls by the golden vector, and shows the recovery target", () => {
    const stage = begin();
    given(stage, { shell_exec: { score: 0.6, operations: 20, successes: 20 } });
    work(stage, "ff");
    expect(scores(curveOf(stage, "shell_exec")).slice(1)).toEqual([0.51, 0.4335]);
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({
      score: 0.4335,
      failures: 2,
      total_operations: 22,
      consecutive_failures: 2,
      pre_failure_score: 0.6,
      is_recovering: true,
    });
  });

  it("TS-1 TR-33 recovers from 0.51 in exactly seven successes", () => {
    const stage = begin();
    given(stage, { shell_exec: { score: 0.51, operations: 21, target: 0.6, consecutiveFailures: 1 } });
    work(stage, "ssssss");
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ score: 0.59184, is_recovering: true });
    work(stage, "s");
    const { points } = curveOf(stage, "shell_exec");
    expect(points.slice(1).map(({ score }) => score)).toEqual([
      ...[0.5247, 0.53896, 0.55279, 0.56621, 0.57922, 0.59184, 0.60408],
    ]);
    expect(points.at(-1)).toMatchObject({ note: "recovery ends" });
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ is_recovering: false, pre_failure_score: null });
  });

  it("TS-1 TR-33 needs eleven without the recovery boost", () => {
    const stage = begin();
    given(stage, { shell_exec: { score: 0.51, operations: 21 } });
    work(stage, "s".repeat(11));
    const reached = scores(curveOf(stage, "shell_exec"))
      .slice(1)
      .map((score) => score >= 0.6);
    expect(reached).toEqual([...Array(10).fill(false), true]);
  });

  it("TS-1 TR-33 goes from 0.51 to 0.5835 when warming up and recovering at once", () => {
    const stage = begin();
    given(stage, { shell_exec: { score: 0.51, operations: 5, target: 0.6, warmup: 3 } });
    work(stage, "s");
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ score: 0.5835, warmup_remaining: 2 });
  });

  it("TS-1 TR-34 includes the cost of absence once, however often it is read", () => {
    const stage = begin();
    const away = ABSENCE.map(([days]) => [`d${days}`, { score: 0.8, lastAt: Date.now() - days * DAY - 60_000 }]);
    given(stage, Object.fromEntries(away));
    for (let looks = 0; looks < 2; looks++) {
      const { domains } = ledgerOf(stage);
      expect(ABSENCE.map(([days]) => [days, domains[`d${days}`]?.score])).toEqual(ABSENCE);
      expect(domains["d14"]).toMatchObject({ is_warming_up: false });
      expect(domains["d15"]).toMatchObject({ is_warming_up: true, warmup_remaining: 5 });
    }
  });

  it.each(AUTONOMY)(
    "TS-1 TR-43 at trust %d shows autonomy %d, %d and %d in `status <domain> --json`",
    (score, low, medium, high) => {
      const stage = begin();
      given(stage, { git_local: { score } });
      expect(json(stage, "status", "git_local")).toMatchObject({
        domain: "git_local",
        score,
        autonomy: {
          low: { autonomy: low, decision: low > 0.8 ? "auto_approved" : "logged_only" },
          medium: { autonomy: medium, decision: medium > 0.8 ? "auto_approved" : "logged_only" },
          high: {
            autonomy: high,
            decision: high > 0.8 ? "auto_approved" : high >= 0.4 ? "logged_only" : "human_required",
          },
          critical: { decision: "blocked" },
        },
      });
    },
  );
});
