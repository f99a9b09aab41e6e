import fc from "fast-check";
import { expect, it } from "vitest";
import { HANDED, HANDED_CHARS, type Handover, handoverIn } from "./handover.ts";

const whole: Handover = {
  version: 1,
  session: "s-1",
  at: 5.5,
  timestamp: "2026-11-16T09:00:00Z",
  trigger: "auto",
  modes: [{ name: "qa", task: "make it pass", count: 1, max: 10, errors: ["lint:false"] }],
  tasks: { open: 1, done: 2, shown: [{ subject: "write it", status: "pending" }] },
  plans: [{ path: "plan.md", done: 1, total: 2 }],
  branch: "main",
  commits: ["abc begin"],
  uncommitted_count: 1,
  changed: ["a.js"],
  cwd: "/p",
  root: "/p",
  written: ["a.js"],
  user_intents: ["go on"],
};
const read = (value: unknown): Handover | undefined => handoverIn(JSON.parse(JSON.stringify(value ?? null)), "s-1");

it("MD-92 a handover is read as it was written", () => {
  expect(read(whole)).toEqual(whole);
  const { branch: _, modes: __, tasks: ___, ...rest } = whole;
  expect(read(rest)).toEqual(rest);
});

it.each([
  ["another version", { version: 2 }],
  ["of another session", { session: "s-2" }],
  ["without a time", { at: "soon" }],
  ["with words for a time", { timestamp: "</session-restore>" }],
])("PB-27 a handover is rejected: %s", (_, field) => {
  expect(read({ ...whole, ...field })).toBeUndefined();
});

it("PB-27 any content is either rejected or within its limits", () => {
  const field = fc.constantFrom(...Object.keys(whole).slice(4));
  const strange = fc.tuple(field, fc.jsonValue({ maxDepth: 3 })).map(([name, value]) => ({ ...whole, [name]: value }));
  const long = fc.constant({ ...whole, changed: Array.from({ length: 99 }, () => "x".repeat(999)) });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), strange, long), (value) => {
      const found = read(value);
      expect(found?.changed?.length ?? 0).toBeLessThanOrEqual(HANDED.changed);
      for (const text of [...(found?.changed ?? []), found?.branch ?? "", found?.cwd ?? ""])
        expect(text.length).toBeLessThanOrEqual(HANDED_CHARS);
    }),
  );
});
