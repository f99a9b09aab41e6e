import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSettings, settingRules } from "./setting-rules.ts";
import { defaultSettings } from "./settings.ts";

const known = ["no-a", "no-b"];
const check = (...layers: readonly unknown[]) => checkSettings(layers, known);

describe("settings", () => {
  it("every default has a rule, and holds it", () => {
    const { policies: _, ...rest } = defaultSettings;
    const defaults = Object.entries(rest).flatMap(([group, value]): [string, unknown][] =>
      typeof value === "object" && !Array.isArray(value)
        ? Object.entries(value).map(([key, leaf]) => [`${group}.${key}`, leaf])
        : [[group, value]],
    );
    expect(defaults.map(([key]) => key).sort()).toEqual(Object.keys(settingRules()).sort());
    for (const [key, value] of defaults) expect(settingRules()[key]?.holds(value), key).toBe(true);
  });

  it("TS-15 a missing or empty file is the defaults", () => {
    for (const layer of [undefined, null, {}])
      expect(check(layer)).toEqual({ settings: defaultSettings, problems: [], custom: [] });
  });

  it("TS-15 a partial file changes what it names and nothing else", () => {
    const { settings, custom } = check({ audit: { retention_days: 7 }, policies: { "no-a": "off" } });
    expect(settings).toEqual({
      ...defaultSettings,
      audit: { ...defaultSettings.audit, retention_days: 7 },
      policies: { "no-a": "off" },
    });
    expect(custom).toEqual(["audit.retention_days", "policies.no-a"]);
  });

  it("lists add up: no layer takes back what another lists", () => {
    const { settings, custom } = check({ secrets: { places: ["a"] } }, { secrets: { places: ["b"], exempt: ["c"] } });
    expect(settings.secrets).toEqual({ env_files: "ask", places: ["a", "b"], exempt: ["c"] });
    expect(custom).toEqual(["secrets.places", "secrets.exempt"]);
    expect(defaultSettings.secrets.places).toEqual([]);
  });

  it.each([
    ["enabled", { enabled: "no" }],
    ["language", { language: "fr" }],
    ["ask.headless", { ask: { headless: "allow" } }],
    ["audit.retention_days", { audit: { retention_days: 0 } }],
    ["audit.retention_days", { audit: { retention_days: 1.5 } }],
    ["audit.max_megabytes", { audit: { max_megabytes: "many" } }],
    ["policies.no-a", { policies: { "no-a": "maybe" } }],
    ["secrets.env_files", { secrets: { env_files: "never" } }],
    ["secrets.places", { secrets: { places: "certs" } }],
    ["secrets.exempt", { secrets: { exempt: [""] } }],
    ["secrets.exempt", { secrets: { exempt: Array(101).fill("x") } }],
    ["policies.no-such", { policies: { "no-such": "off" } }],
    ["novel", { novel: 1 }],
    ["trust.trust_score_override", { trust: { trust_score_override: 1 } }],
    ["(file)", ["a list"]],
    ["(file)", "words"],
  ])("TS-15 a value that breaks the rule of %s is told and ignored", (key, layer) => {
    const { settings, problems } = check(layer);
    expect(settings).toEqual(defaultSettings);
    expect(problems.map((problem) => problem.key)).toEqual([key]);
  });

  it("TS-15 a mistake in the stronger layer leaves what the weaker one said", () => {
    const { settings } = check({ audit: { retention_days: 30 } }, { audit: { retention_days: -1 }, language: "ja" });
    expect(settings.audit.retention_days).toBe(30);
    expect(settings.language).toBe("ja");
  });

  it("on and off may be written as YAML reads them", () => {
    expect(check({ policies: { "no-a": false, "no-b": true } }).settings.policies).toEqual({
      "no-a": "off",
      "no-b": "on",
    });
  });

  it("whatever a file says, every setting keeps its rule", () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(true, false, "on", "off", "ja", "ask", 7));
    const key = fc.constantFrom("enabled", "language", "ask", "audit", "policies", "__proto__", "constructor", "x");
    fc.assert(
      fc.property(
        fc.dictionary(
          key,
          fc.oneof(value, fc.dictionary(fc.constantFrom("headless", "retention_days", "no-a", "toString"), value)),
        ),
        (layer) => {
          const { settings } = check(layer);
          for (const [path, rule] of Object.entries(settingRules())) {
            const [group = "", leaf] = path.split(".");
            const found = (settings as unknown as Record<string, unknown>)[group];
            expect(rule.holds(leaf === undefined ? found : (found as Record<string, unknown>)[leaf])).toBe(true);
          }
        },
      ),
    );
  });
});
