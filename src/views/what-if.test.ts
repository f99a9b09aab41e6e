import { describe, expect, it } from "vitest";
import { whatIfFrom } from "./what-if.ts";

describe("other trust rates for a what-if", () => {
  it("may be given as separate words or separated by commas", () => {
    expect(whatIfFrom(["trust.failure_decay=0.7, trust.warmup_operations = 3", "trust.boost_threshold=2"])).toEqual({
      rates: { failure_decay: 0.7, warmup_operations: 3, boost_threshold: 2 },
    });
  });

  it.each([
    ["trust.failure_decay=1", /trust\.failure_decay must be a number from 0\.5 to below 1, not "1"/],
    ["trust.failure_decay=", /must be a number/],
    ["trust.failure_decay", /must be a number/],
    ["trust.failure_decay=0.7=0.8", /must be a number.*"0\.7=0\.8"/],
    ["trust.failure_decay=half", /not "half"/],
    ["trust.failure_decay=NaN", /must be a number/],
    ["trust.warmup_operations=2.5", /must be a whole number/],
    ["trust.initial_score=0.6", /from 0 to 0\.5/],
    ["risk.lambda1=0.5", /"risk\.lambda1" is no rate/],
    ["trust.approve=true", /"trust\.approve" is no rate/],
    ["trust.constructor=1", /is no rate/],
    ["failure_decay=0.7", /is no rate.*trust\.failure_decay/],
    ["", /is no rate/],
  ])("are refused when invalid: %s", (word, problem) => {
    expect(whatIfFrom([word])).toEqual({ problem: expect.stringMatching(problem) });
  });
});
