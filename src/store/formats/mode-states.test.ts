import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reduceModes, STALE_MS } from "../../state/session/modes.ts";
import { fitRecord } from "../journal/fit.ts";
import { looksLikeModeState, type ModeState, modeState, readModeStates } from "./mode-states.ts";

const NOW = Date.UTC(2026, 2, 1, 9);
const iso = (ms: number): string => new Date(ms).toISOString();
const COMMON = {
  active: true,
  started_at: "2026-03-01T08:00:00.000Z",
  last_checked_at: "2026-03-01T08:40:00.000Z",
  activated_by: "keyword-detector",
  session_id: "s-1",
  original_prompt: "make it work",
};
const PERSISTENT = {
  ...COMMON,
  iteration: 3,
  max_iterations: 20,
  error_history: [],
  completion: { type: "plan", plan_file: ".tmp/plans/login.md" },
  completion_promise: "DONE",
};
const QA = {
  ...COMMON,
  cycle: 2,
  max_cycles: 10,
  all_passing: false,
  last_failure: null,
  error_history: ["analyze:false,test:null"],
};
const TURBO = {
  ...COMMON,
  reinforcement_count: 4,
  max_reinforcements: 30,
  activated_by: "keyword-detector:persistent-auto",
};

const read = (fields: object | string, name = "x.json") =>
  readModeStates(typeof fields === "string" ? fields : JSON.stringify(fields), name, NOW);

function only(fields: object, name?: string): ModeState {
  const reading = read(fields, name);
  if ("problem" in reading) throw new Error(reading.problem);
  const [first] = reading.value;
  if (!first) throw new Error("none");
  return first;
}

describe("mode states of oh-my-claude-code", () => {
  it("MD-11 MD-12 persistent keeps its progress, plan and promise", () => {
    expect(only(PERSISTENT)).toEqual({
      name: "persistent",
      session: "s-1",
      start: {
        record: "mode",
        do: "start",
        mode: "persistent",
        by: "import",
        task: "make it work",
        max: 20,
        count: 3,
        since: Date.UTC(2026, 2, 1, 8),
        checkedAt: Date.UTC(2026, 2, 1, 8, 40),
        plan: ".tmp/plans/login.md",
        promise: "DONE",
      },
    });
  });

  it("MD-13 MD-14 web-qa becomes qa, and turbo keeps which mode started it", () => {
    expect(only(QA).start).toMatchObject({ mode: "qa", count: 2, max: 10, errors: ["analyze:false,test:null"] });
    expect(only(QA).start?.promise).toBe("QA_COMPLETE");
    expect(only(TURBO).start).toMatchObject({ mode: "turbo", count: 4, max: 30, with: "persistent" });
    expect(only({ ...TURBO, activated_by: "keyword-detector" }).start).not.toHaveProperty("with");
  });

  it("MD-12 MD-13 MD-14 MD-56 missing fields get the original defaults, and a missing iteration is 1", () => {
    const bare = { active: true, started_at: COMMON.started_at };
    expect(only(bare, "persistent-state.json").start).toMatchObject({ count: 1, max: 20, promise: "DONE", task: "" });
    expect(only(bare, "web-qa-state.json").start).toMatchObject({ count: 0, max: 10 });
    expect(only(bare, "turbo-state.json").start).toMatchObject({ count: 0, max: 30 });
    expect(only(bare, "turbo-state.json")).not.toHaveProperty("session");
  });

  it("ST-9 MD-16 TS-30 TS-34 an expired, undated or passing state is not imported, and the reason is given", () => {
    const at = (started: number | null, checked: number | null) =>
      only({
        ...QA,
        started_at: started === null ? null : iso(NOW - started),
        last_checked_at: checked === null ? null : iso(NOW - checked),
      }).over;
    expect([at(STALE_MS, null), at(3 * STALE_MS, STALE_MS), at(null, 1000)]).toEqual([undefined, undefined, undefined]);
    expect(at(STALE_MS + 1000, null)).toMatch(/out of date.*24 hours/);
    expect(at(3 * STALE_MS, STALE_MS + 1)).toMatch(/out of date/);
    expect(at(null, null)).toMatch(/no time/);
    expect(only({ ...QA, active: false }).over).toMatch(/not active/);
    expect(only({ ...QA, all_passing: true }).over).toMatch(/checks have passed/);
    // A state imported as fresh is fresh.
    const { start } = only({ ...QA, started_at: iso(NOW - 3 * STALE_MS), last_checked_at: iso(NOW - 1000) });
    expect(start && reduceModes({}, start, NOW)).toMatchObject({ qa: { checkedAt: NOW - 1000 } });
  });

  it.each([
    ["", /^the file is not JSON/],
    ["{", /^the file is not JSON/],
    ["[]", /must be a map of fields, but it is a list/],
    [`{"a":"${"x".repeat(300_000)}"}`, /must have at most 262144 letters/],
    ['{"active":true}', /has no field of a mode/],
    [JSON.stringify({ ...PERSISTENT, cycle: 1 }), /fields of several modes \(persistent, qa\)/],
    [JSON.stringify({ ...QA, cycle: -1 }), /^cycle must be a whole number from 0, but it is -1/],
    [JSON.stringify({ ...QA, max_cycles: "ten" }), /^max_cycles must be a whole number/],
    [JSON.stringify({ ...QA, active: "yes" }), /^active must be true or false/],
    [JSON.stringify({ ...QA, started_at: "yesterday" }), /^started_at must be a time such as/],
    [JSON.stringify({ ...QA, started_at: iso(NOW + 1000) }), /^started_at must not be in the future/],
    [JSON.stringify({ ...QA, session_id: 7 }), /^session_id must be a text/],
    [JSON.stringify({ ...QA, error_history: "x" }), /^error_history must be a list/],
    [JSON.stringify({ ...QA, error_history: [1] }), /^error_history, entry 1/],
    [JSON.stringify({ ...PERSISTENT, completion: [] }), /^completion must be a map/],
    [JSON.stringify(QA).repeat(2), /^the file is not JSON/],
    [`${JSON.stringify(QA)}\n`.repeat(61), /at most 60 modes/],
  ])("TS-30 rejects an invalid file: %.40s", (text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it("rejects a file whose name and fields name different modes", () => {
    expect(read(QA, "turbo-state.json")).toEqual({
      problem: "the file is named for turbo and has the fields of qa.",
    });
  });

  it("reports what cannot be kept: a plan outside the project, a count beyond the limit, a phase", () => {
    const odd = { ...PERSISTENT, iteration: 900, max_iterations: 0, phase: "red", completion_promise: undefined };
    for (const plan_file of ["/etc/passwd", "../x.md", "a/../../x.md", "~/x.md", "p".repeat(400)]) {
      const reading = read({ ...odd, completion: { type: "plan", plan_file } });
      expect(reading).toMatchObject({ value: [{ start: { count: 60, max: 1, promise: "DONE" } }] });
      expect((reading as { notes: readonly string[] }).notes).toEqual([
        "persistent: phase is not kept",
        "persistent: max_iterations is 0, and taken as 1",
        "persistent: iteration is 900, and taken as 60",
        expect.stringMatching(/the plan is left out/),
      ]);
    }
  });

  it("drops a promise that contains tag characters, and reports it", () => {
    const reading = read({ ...TURBO, completion_promise: "x</promise>y" });
    expect(reading).toMatchObject({ value: [{ start: { promise: "DONE" } }] });
    expect((reading as { notes: readonly string[] }).notes).toContainEqual(
      expect.stringMatching(/promise is left out/),
    );
  });

  it("contains no secret or control character, and fits into a record", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const text = JSON.stringify(only({ ...QA, original_prompt: `\u001b[31m ${secret}`, error_history: [secret] }));
    expect(text).not.toContain(secret);
    expect(text).not.toContain("\\u001b");
    const words = fc.oneof(
      fc.string({ maxLength: 900, unit: "binary" }),
      fc.constantFrom("\u5b8c", '"', "\\").map((one) => one.repeat(800)),
    );
    fc.assert(
      fc.property(words, words, fc.array(words, { maxLength: 12 }), (task, promise, errors) => {
        const { start } = only({
          ...PERSISTENT,
          original_prompt: task,
          completion_promise: promise,
          error_history: errors,
          completion: { type: "plan", plan_file: "p".repeat(300) },
        });
        const record = {
          kind: "action",
          action: "import",
          session: "s".repeat(36),
          rid: "mwjajt700092zl48n9l",
          t: NOW,
          changes: start ? [start] : [],
        } as const;
        expect(fitRecord(record)).toBe(record);
      }),
    );
  });

  it("exports the same shape, and can import it again", () => {
    const lines = [PERSISTENT, QA, TURBO].map((fields) => {
      const { start, name, session } = only(fields);
      if (!start) throw new Error("over");
      const mode = reduceModes({}, start, NOW)[name];
      return mode ? JSON.stringify(modeState(name, mode, session, iso)) : "";
    });
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object).sort())).toEqual([
      Object.keys(PERSISTENT).sort(),
      [...Object.keys(QA), "completion_promise"].sort(),
      [...Object.keys(TURBO), "completion_promise"].sort(),
    ]);
    const again = read(`${lines.join("\n")}\n`);
    expect(again).toMatchObject({ value: [only(PERSISTENT), only(QA), only(TURBO)], notes: [] });
  });

  it("is distinguished from other files", () => {
    expect([PERSISTENT, QA, TURBO].map((fields) => looksLikeModeState(JSON.stringify(fields)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(["building", '{"domains":{}}', "[]"].map(looksLikeModeState)).toEqual([false, false, false]);
  });
});
