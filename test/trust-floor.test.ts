/** Trust never lifts the floor: a floor denial stands at any trust, and the trust policy never loosens a verdict. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, STRICTNESS, type Verdict } from "../src/kernel/decide.ts";
import type { HookEvent } from "../src/kernel/event.ts";
import { HOME, ordinaryFacts, PROJECT } from "../src/policies/describe-policy.ts";
import { policies } from "../src/policies/index.ts";
import { operationOf } from "../src/reading/operation/operation.ts";
import { withValues } from "../src/state/settings/setting-rules.ts";
import { defaultSettings, type Settings } from "../src/state/settings/settings.ts";
import { STANCES } from "../src/state/stance.ts";
import { newTrust, newTrustLedger, type TrustLedger } from "../src/state/trust.ts";

const DOMAINS =
  "file_read file_write file_write_src docs_write test_run git_read git_local git_remote shell_exec control external _global".split(
    " ",
  );

function commandsOf(name: string): readonly string[] {
  const lines = readFileSync(join(import.meta.dirname, "corpus", `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line) as { command?: string })
    .flatMap(({ command }) => (command === undefined || command.includes("@") ? [] : [command]));
}

interface Given {
  readonly trust: TrustLedger;
  readonly settings: Settings;
  readonly stance: (typeof STANCES)[number];
}

function judged(command: string, { trust, settings, stance }: Given, law = policies): Verdict {
  const tool = { kind: "bash", name: "Bash", command, background: false } as const;
  const event = { name: "PreToolUse", session: "s", cwd: PROJECT, attended: true, tool, call: "c", input: { command } };
  const operation = operationOf(tool, { cwd: PROJECT, home: HOME });
  const targets = Object.fromEntries(operation.effects.map(({ path }) => [path, path]));
  const facts = { ...ordinaryFacts, targets, trust, settings, stance: { stance, isImplicit: false } };
  return decide({ event: event as HookEvent, operation, facts }, law);
}

const score = fc.double({ min: 0, max: 1, noNaN: true });
const anyLedger: fc.Arbitrary<TrustLedger> = fc
  .dictionary(fc.constantFrom(...DOMAINS), score, { maxKeys: DOMAINS.length })
  .map((scores) => {
    const domains = Object.entries(scores).map(([domain, value]) => [domain, newTrust(value, 0)] as const);
    return { ...newTrustLedger, domains: Object.fromEntries(domains) };
  });
/** Any settings, from the loosest to the strictest. */
const anySettings: fc.Arbitrary<Settings> = fc
  .record({
    "trust.approve": fc.boolean(),
    "risk.lambda1": fc.constantFrom(0, 0.6, 1),
    "risk.lambda2": fc.constantFrom(0, 0.4, 1),
    "autonomy.auto_approve_threshold": fc.constantFrom(0.5, 0.8, 1),
    "autonomy.human_required_threshold": fc.constantFrom(0, 0.4),
    "profile.trust_gate": fc.constantFrom("risky", "domain"),
    "profile.trust_gate_threshold": fc.constantFrom(0, 0.8, 1),
    "profile.remote": fc.constantFrom("publish", "deny"),
  })
  .map((values) => withValues(defaultSettings, values));
const anyGiven: fc.Arbitrary<Given> = fc.record({
  trust: anyLedger,
  settings: anySettings,
  stance: fc.constantFrom(...STANCES),
});

const destructive = ["destructive", "disguised", "lose-files", "lose-git"].flatMap(commandsOf);
const everyday = [...commandsOf("everyday"), ...commandsOf("doubtful")];
const untrusted: Given = { trust: newTrustLedger, settings: defaultSettings, stance: "building" };
const floored = destructive.filter((command) => judged(command, untrusted).objections.some(({ floor }) => floor));

describe("trust and the floor", () => {
  it("raising trust never changes a floor denial, whatever the settings", () => {
    expect(floored.length).toBeGreaterThan(100);
    fc.assert(
      fc.property(fc.constantFrom(...floored), anyGiven, (command, given) => {
        const verdict = judged(command, given);
        expect(verdict.decision).toBe("deny");
        expect(verdict.objections.some(({ floor, decision }) => floor && decision === "deny")).toBe(true);
        expect(verdict).not.toHaveProperty("approval");
      }),
      { numRuns: 300 },
    );
  });

  it("every floor denial stands at full trust with the loosest settings", () => {
    const domains = Object.fromEntries(DOMAINS.map((domain) => [domain, newTrust(1, 0)]));
    const loosest = withValues(defaultSettings, {
      "trust.approve": true,
      "risk.lambda1": 0,
      "risk.lambda2": 0,
      "autonomy.auto_approve_threshold": 0.5,
      "profile.trust_gate_threshold": 0,
    });
    const given: Given = { trust: { ...newTrustLedger, domains }, settings: loosest, stance: "building" };
    const opened = floored.filter((command) => judged(command, given).decision !== "deny");
    expect(opened).toEqual([]);
  });

  it("requiring trust never loosens a verdict", () => {
    const without = policies.filter(({ id }) => id !== "require-trust");
    fc.assert(
      fc.property(fc.constantFrom(...destructive, ...everyday), anyGiven, (command, given) => {
        const [more, less] = [judged(command, given), judged(command, given, without)];
        expect(STRICTNESS[more.decision]).toBeGreaterThanOrEqual(STRICTNESS[less.decision]);
      }),
      { numRuns: 300 },
    );
  });
});
