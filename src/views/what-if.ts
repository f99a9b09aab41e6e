/** Parses alternative trust rates from the command line: `trust.failure_decay=0.7,trust.boost_threshold=10`. */
import { settingRules } from "../state/settings/setting-rules.ts";
import { defaultRates, type Rates } from "../state/trust.ts";

export type WhatIf = { readonly rates: Partial<Rates> } | { readonly problem: string };

export function whatIfFrom(words: readonly string[]): WhatIf {
  const rates: Record<string, number> = {};
  for (const pair of words.flatMap((word) => word.split(","))) {
    const [key = "", written, ...more] = pair.split("=").map((part) => part.trim());
    const rate = key.startsWith(GROUP) ? key.slice(GROUP.length) : "";
    if (!Object.hasOwn(defaultRates, rate)) {
      return { problem: `"${key}" is no rate that trust moves by. These are: ${KEYS.join(", ")}.` };
    }
    // `Number("")` is 0, but an empty value is a mistake.
    const value = written === undefined || written === "" || more.length > 0 ? Number.NaN : Number(written);
    const rule = settingRules()[key];
    if (!rule?.holds(value)) return { problem: `${key} must ${rule?.must}, not "${pair.slice(key.length + 1)}".` };
    rates[rate] = value;
  }
  return { rates };
}

const GROUP = "trust.";
const KEYS = Object.keys(defaultRates).map((rate) => `${GROUP}${rate}`);
