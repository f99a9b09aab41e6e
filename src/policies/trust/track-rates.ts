import { definePolicy, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultRates, newTrustLedger, type Rates } from "../../state/trust.ts";

/** Trust is a fold over the journal and cannot read settings, so the rates are recorded in the journal too. */
export const trackRates = definePolicy({
  id: "track-rates",
  on: ["SessionStart", "UserPromptSubmit"],
  needs: ["settings", "trust"],
  floor: true,
  why: text(
    "A score that cannot be computed again from what was recorded cannot be explained.",
    "記録から計算し直せない点数は、説明できない。",
  ),

  check({ facts }) {
    const rates = ratesIn(facts.settings.trust);
    const isKnown = KEYS.every((key) => rates[key] === facts.trust.rates[key]);
    return isKnown ? remember() : remember({ record: "trust", do: "rates", rates });
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on" },
      given: { trust: { ...newTrustLedger, rates: { ...defaultRates, failure_decay: 0.7 } } },
    },
  ],
});

const KEYS = Object.keys(defaultRates) as (keyof Rates)[];

function ratesIn(settings: Rates): Rates {
  return Object.fromEntries(KEYS.map((key) => [key, settings[key]])) as unknown as Rates;
}
