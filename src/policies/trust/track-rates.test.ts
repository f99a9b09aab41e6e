import { describe, expect, it } from "vitest";
import { withValues } from "../../state/setting-rules.ts";
import { defaultSettings } from "../../state/settings.ts";
import { defaultRates, newLedger, reduceTrust, type TrustChange } from "../../state/trust.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { trackRates } from "./track-rates.ts";

describePolicy(trackRates);

const begins = { name: "SessionStart" as const, source: "startup" };

describe("the rates in force", () => {
  it("are written down when they change, once, and nothing of the settings beside them", () => {
    const settings = withValues(defaultSettings, { "trust.failure_decay": 0.7, "trust.approve": true });
    const { changes } = verdictOf(trackRates, begins, { settings });
    expect(changes).toEqual([{ record: "trust", do: "rates", rates: { ...defaultRates, failure_decay: 0.7 } }]);
    const trust = reduceTrust(newLedger, changes[0] as TrustChange, 1);
    expect(verdictOf(trackRates, begins, { settings, trust }).changes).toEqual([]);
    expect(verdictOf(trackRates, begins).changes).toEqual([]);
  });
});
