import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemInRule, RULES_MAX } from "./evidence-rules.ts";
import { checkSettings, isLooser } from "./setting-rules.ts";
import { defaultSettings, problemWords } from "./settings.ts";

const RULE = {
  name: "api-needs-approval",
  when: { event: "PreToolUse", globs: ["src/api/**"], effects: ["write"] },
  need: { evidence: "approval", of: "api", freshness: "turn" },
  else: "deny",
};

function problem(change: object): string | undefined {
  return problemInRule({ ...RULE, ...change });
}

describe("GT-15 evidence rules", () => {
  it("a complete rule is valid", () => expect(problemInRule(RULE)).toBeUndefined());

  it.each([
    ["name", { name: "" }],
    ["name", { name: "X y" }],
    ["name", { name: "code-skill" }],
    ["when", { when: "always" }],
    ["when.event", { when: {} }],
    ["when.event", { when: { event: "PostToolUse" } }],
    ["when.globs", { when: { event: "Stop", globs: [] } }],
    ["when.globs", { when: { event: "Stop", globs: "src" } }],
    ["when.kinds", { when: { event: "Stop", kinds: ["music"] } }],
    ["when.effects", { when: { event: "Stop", effects: ["read"] } }],
    ["when.files", { when: { event: "Stop", files: ["x"] } }],
    ["need", { need: [] }],
    ["need.evidence", { need: { evidence: "vibes", of: "x" } }],
    ["need.of", { need: { evidence: "skill" } }],
    ["need.of", { need: { evidence: "skill", of: " " } }],
    ["need.freshness", { need: { evidence: "skill", of: "x", freshness: "forever" } }],
    ["need.freshness", { need: { evidence: "skill", of: "x", freshness: 0 } }],
    ["else", { else: "allow" }],
    ["else", { else: "pass" }],
    ["else", { when: { event: "Stop" }, else: "ask" }],
    ["bound", { bound: 0 }],
    ["allow", { allow: true }],
  ])("an error in %s is named: %j", (key, change) => expect(problem(change)).toMatch(new RegExp(`^${key}\\b`)));

  it("any value is judged without an exception", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(["string", "undefined"]).toContain(typeof problemInRule(value));
      }),
    );
    const circle: Record<string, unknown> = { ...RULE };
    circle["else"] = circle;
    expect(problemInRule(circle)).toMatch(/^else must be/);
  });
});

describe("GT-15 the setting gates.rules", () => {
  const check = (...lists: readonly unknown[]) =>
    checkSettings(
      lists.map((rules) => ({ gates: { rules } })),
      [],
      [],
      lists.map((_, at) => `${at}.yaml`),
    );

  it("an invalid rule is rejected by its number, and the others are kept", () => {
    const { settings, problems } = check([{ name: "x" }, RULE, 7]);
    expect(settings.gates.rules).toEqual([RULE]);
    expect(problems.map(({ key, entry, file }) => [key, entry, file])).toEqual([
      ["gates.rules", 0, "0.yaml"],
      ["gates.rules", 2, "0.yaml"],
    ]);
    expect(problemWords({ ...problems[0], line: 4 } as never)).toMatch(
      /^gates\.rules entry 1: .*\(in 0\.yaml, line 4\)$/,
    );
  });

  it("layers add rules; none replaces or removes a rule of another layer", () => {
    const { settings, problems, from } = check(
      [RULE],
      [
        { ...RULE, else: "warn" },
        { ...RULE, name: "b" },
      ],
      [],
    );
    expect(settings.gates.rules.map(({ name, else: consequence }) => [name, consequence])).toEqual([
      [RULE.name, "deny"],
      ["b", "deny"],
    ]);
    expect(problems).toHaveLength(1);
    expect(from).toMatchObject({ [`gates.rules.${RULE.name}`]: "0.yaml", "gates.rules.b": "1.yaml" });
  });

  it("omitted fields get their defaults", () => {
    const { settings } = check([{ ...RULE, need: { evidence: "skill", of: "x" } }]);
    expect(settings.gates.rules[0]?.need.freshness).toBe("session");
  });

  it("the number of rules is limited over all layers", () => {
    const many = (prefix: string) => Array.from({ length: 30 }, (_, at) => ({ ...RULE, name: `${prefix}${at}` }));
    expect(check(many("a"), many("b")).settings.gates.rules).toHaveLength(RULES_MAX);
    expect(check("none").settings.gates).toEqual(defaultSettings.gates);
  });

  it("removing or softening a rule during a session is looser, adding one is not", () => {
    const other = { ...RULE, name: "b" };
    expect(isLooser("gates.rules", [], [RULE])).toBe(true);
    expect(isLooser("gates.rules", [{ ...RULE, else: "warn" }], [RULE])).toBe(true);
    expect(isLooser("gates.rules", [RULE, other], [RULE])).toBe(false);
  });

  it("requiring a different skill counts as looser", () => {
    expect(isLooser("rules.code_skill", "", "a")).toBe(true);
    expect(isLooser("rules.code_skill", "b", "a")).toBe(true);
    expect(isLooser("rules.code_skill", "a", "")).toBe(false);
  });
});
