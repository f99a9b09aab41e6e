import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../kernel/event.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { policiesOn } from "./by-event.ts";
import { describeExamples, verdictOf } from "./describe-policy.ts";
import { policies } from "./index.ts";

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
const speakers = policies.filter(({ id }) => /^(remind|track|run)-/.test(id));
const refusers = policies.filter(({ id }) => /^(no|require)-/.test(id));

describe("the examples of every policy in the table get the verdict they claim", () => {
  for (const policy of policies) describeExamples(policy);
});

describe("every policy follows the contract", () => {
  it("the table lists every policy once", () => {
    const written = files.filter(
      (file) => /\/(no|require|remind|track|run)-[a-z-]+\.ts$/.test(file) && !file.endsWith(".test.ts"),
    );
    expect(policies.map(({ id }) => id).sort()).toEqual(written.map((file) => file.replace(/^.*\/|\.ts$/g, "")).sort());
  });

  it.each(policies)(
    "$id begins with a verb, matches its file name, and explains itself in both languages",
    ({ id, why, on }) => {
      expect(id).toMatch(/^(no|require|remind|track|run)-[a-z]+(-[a-z]+)*$/);
      expect(files.some((file) => file.endsWith(join("/", `${id}.ts`)))).toBe(true);
      expect(why.en.length).toBeGreaterThan(20);
      expect(why.ja.length).toBeGreaterThan(10);
      expect(on.filter((event) => !(EVENT_NAMES as readonly string[]).includes(event))).toEqual([]);
    },
  );

  it.each(policies.filter(({ only }) => only))("$id is asked only while its feature is in use", (policy) => {
    const off = { settings: defaultSettings };
    for (const { when, given } of policy.examples) {
      const { decision, changes, notes, notices } = verdictOf(policy, when, { ...given, ...off });
      expect({ decision, said: [changes, notes, notices].flat() }).toEqual({ decision: "pass", said: [] });
    }
    const { plan, roles } = defaultSettings;
    const used = { plan: { ...plan, required: "auto" }, roles: { ...roles, preset: "lead" } } as const;
    for (const event of policy.on) {
      expect(policiesOn(event, defaultSettings)).not.toContain(policy);
      expect(policiesOn(event, { ...defaultSettings, ...used })).toContain(policy);
    }
  });

  it.each(refusers)("$id has an example of a refusal and of a pass", ({ examples }) => {
    expect(examples.some(({ expect: verdict }) => verdict !== "pass")).toBe(true);
    expect(examples.some(({ expect: verdict }) => verdict === "pass")).toBe(true);
  });

  it.each(speakers)("$id never refuses, and its examples change, say or do something", (policy) => {
    const verdicts = policy.examples.map(({ when, given }) => verdictOf(policy, when, given));
    expect(verdicts.map(({ decision }) => decision).filter((decision) => decision !== "pass")).toEqual([]);
    const isHeard = verdicts.some(
      ({ changes, notes, notices, jobs = [], input }) =>
        changes.length + notes.length + notices.length + jobs.length > 0 || input !== undefined,
    );
    expect(isHeard).toBe(true);
  });

  it.each(policies.filter(({ id, on }) => /^require-/.test(id) && on.some((event) => event === "Stop")))(
    "$id can refuse a Stop, so it has a bound",
    ({ bound }) => expect(bound).toBeGreaterThan(0),
  );
});
