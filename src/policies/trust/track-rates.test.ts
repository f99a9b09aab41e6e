import { describe, expect, it } from "vitest";
import { withValues } from "../../state/settings/setting-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { defaultRates, newTrustLedger, reduceTrust, type TrustChange } from "../../state/trust.ts";
import { verdictOf } from "../describe-policy.ts";
import { trackRates } from "./track-rates.ts";

const begins = { name: "SessionStart" as const, source: "startup" };

describe("the rates in force", () => {
  it("are recorded once when they change, without other settings", () => {
    const settings = withValues(defaultSettings, { "trust.failure_decay": 0.7, "trust.approve": true });
    const { changes } = verdictOf(trackRates, begins, { settings });
    expect(changes).toEqual([{ record: "trust", do: "rates", rates: { ...defaultRates, failure_decay: 0.7 } }]);
    const trust = reduceTrust(newTrustLedger, changes[0] as TrustChange, 1);
    expect(verdictOf(trackRates, begins, { settings, trust }).changes).toEqual([]);
    expect(verdictOf(trackRates, begins).changes).toEqual([]);
  });
});
