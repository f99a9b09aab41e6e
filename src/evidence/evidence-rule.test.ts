import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EvidenceRule, Need } from "../state/settings/evidence-rules.ts";
import { type EvidenceState, type RuleGiven, type TouchedFile, unmetRules } from "./evidence-rule.ts";

const MINUTE = 60_000;

function file(path: string, more: Partial<TouchedFile> = {}): TouchedFile {
  return { path: `/p/${path}`, spelled: path, effect: "write", kind: "code", how: "path", isThere: true, ...more };
}

function rule(when: Partial<EvidenceRule["when"]>, need: Partial<Need> = {}): EvidenceRule {
  return {
    name: "r",
    when: { event: "PreToolUse", ...when },
    need: { evidence: "skill", of: "s", freshness: "session", ...need },
    else: "deny",
  };
}

function unmet(
  one: EvidenceRule,
  files: readonly TouchedFile[],
  standing: EvidenceState,
  more: Partial<RuleGiven> = {},
) {
  const given = {
    event: "PreToolUse",
    root: "/p",
    now: 100 * MINUTE,
    files,
    standing: () => standing,
    ...more,
  } as const;
  return unmetRules([one], given).map(({ file: found, why }) => `${why} ${found?.spelled ?? "-"}`);
}

const MISSING: EvidenceState = { met: false, why: "missing" };

describe("GT-15 the files that a rule applies to", () => {
  it.each([
    ["any file without a condition", {}, file("x.bin", { kind: "other" }), true],
    ["a kind", { kinds: ["code"] }, file("a.ts"), true],
    ["another kind", { kinds: ["document"] }, file("a.ts"), false],
    ["neither kind", { kinds: ["code", "document"] }, file("a.json", { kind: "other" }), false],
    ["an effect", { effects: ["delete"] }, file("a.ts"), false],
    ["a path", { globs: ["src/api"] }, file("src/api/a.ts"), true],
    ["a pattern at any depth", { globs: ["**/SKILL.md"] }, file("a/b/SKILL.md"), true],
    ["a name without a slash", { globs: ["*.sql"] }, file("db/x.sql"), true],
    ["another directory", { globs: ["src/**"] }, file("lib/a.ts"), false],
    ["a pattern of the command's own", { globs: ["src/*.ts"] }, file("src/*.ts", { how: "pattern" }), true],
    ["a directory that holds it", { globs: [".claude/skills/x"] }, file(".claude", { how: "below" }), true],
    ["a directory beside it", { globs: [".claude/skills/x"] }, file("build", { how: "below" }), false],
    ["any directory, for a pattern at any depth", { globs: ["**/SKILL.md"] }, file("build", { how: "below" }), false],
    ["another project", { globs: ["src/**"] }, file("../q/src/a.ts", { path: "/q/src/a.ts" }), false],
  ] as const)("%s", (_, when, touched, isMeant) => {
    expect(unmet(rule(when as EvidenceRule["when"]), [touched], MISSING)).toEqual(
      isMeant ? [`missing ${touched.spelled}`] : [],
    );
  });

  it("a rule does not apply without files", () => expect(unmet(rule({}), [], MISSING)).toEqual([]));

  it("a rule for another event does not apply", () => {
    expect(unmet(rule({ event: "Stop" }), [file("a.ts")], MISSING)).toEqual([]);
  });

  it("a Stop rule without file conditions needs no files; with conditions it applies to matching files", () => {
    const at = { event: "Stop" } as const;
    expect(unmet(rule(at), [], MISSING, at)).toEqual(["missing -"]);
    expect(unmet(rule({ ...at, kinds: ["code"] }), [], MISSING, at)).toEqual([]);
    expect(unmet(rule({ ...at, kinds: ["code"] }), [file("a.ts")], MISSING, at)).toEqual(["missing a.ts"]);
  });

  it("every existing file must have been read", () => {
    const reads = rule({}, { evidence: "read" });
    const standing = (_: Need, one?: TouchedFile): EvidenceState => ({ met: one?.spelled === "a.ts" });
    expect(unmet(reads, [file("a.ts"), file("b.ts")], MISSING, { standing })).toEqual(["missing b.ts"]);
    expect(unmet(reads, [file("a.ts"), file("new.ts", { isThere: false })], MISSING, { standing })).toEqual([]);
  });
});

describe("freshness", () => {
  it.each([
    ["session", 0, {}, true],
    ["turn", 50, { turnAt: 40 }, true],
    ["turn", 30, { turnAt: 40 }, false],
    ["turn", 30, {}, true],
    ["change", 50, { changedAt: 40 }, true],
    ["change", 40, { changedAt: 40 }, false],
    ["change", 40, {}, true],
    [10, 95, {}, true],
    [10, 89, {}, false],
  ] as const)("%s: evidence shown at %s, %j is fresh: %s", (freshness, at, times, isFresh) => {
    const ms = Object.fromEntries(Object.entries(times).map(([key, value]) => [key, Number(value) * MINUTE]));
    const found = unmet(rule({}, { freshness }), [file("a.ts")], { met: true, at: at * MINUTE }, ms);
    expect(found).toEqual(isFresh ? [] : ["stale a.ts"]);
  });

  it("unmet evidence stays unmet, however recent", () => {
    expect(unmet(rule({}, { freshness: 10 }), [file("a.ts")], { met: false, at: 100 * MINUTE, why: "failed" })).toEqual(
      ["failed a.ts"],
    );
  });
});

it("adding a rule never removes an unmet one", () => {
  const rules = fc.array(fc.constantFrom(rule({}), rule({ kinds: ["document"] }), rule({ event: "Stop" })));
  fc.assert(
    fc.property(rules, rules, (some, more) => {
      const given: RuleGiven = {
        event: "PreToolUse",
        root: "/p",
        now: 0,
        files: [file("a.ts")],
        standing: () => MISSING,
      };
      expect(unmetRules([...some, ...more], given).length).toBeGreaterThanOrEqual(unmetRules(some, given).length);
    }),
  );
});
