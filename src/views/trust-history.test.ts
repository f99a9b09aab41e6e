import { describe, expect, it } from "vitest";
import type { Change } from "../state/change.ts";
import { defaultRates, newTrust, type Rates } from "../state/trust.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { historyView } from "./trust-history.ts";

const DAY = 86_400_000;

/** Calls one second apart, as the hooks record them. */
function worked(outcomes: string, domain = "shell_exec", store = memoryStore()): Store {
  const from = [...store.records()].length;
  [...outcomes].forEach((one, index) => {
    const [id, at] = [`call-${from + index}`, (from + index) * 1000];
    const common = { kind: "verdict", session: "s1", decision: "pass", call: id } as const;
    const operation = { class: "change", domain, risk: "medium" };
    const opened: Change = { record: "call", do: "open", id, tool: "Bash" };
    const closed: Change = { record: "call", do: "close", id, outcome: one === "s" ? "success" : "failure" };
    store.append({ ...common, event: "PreToolUse", operation, changes: [opened] }, at);
    store.append({ ...common, event: "PostToolUse", changes: [closed] }, at);
  });
  return store;
}

function history(store: Store, more: { whatIf?: Partial<Rates>; now?: number; domain?: string } = {}) {
  const state = store.read();
  if ("fault" in state) throw new Error(state.fault);
  const records = () => store.records();
  return historyView({
    domain: "shell_exec",
    records,
    ledger: state.trust,
    now: 100_000,
    rates: defaultRates,
    ...more,
  });
}

const scores = (points: readonly { score: number }[] = []) => points.map(({ score }) => score);

describe("history of a score", () => {
  it("TR-32 contains every step in the journal", () => {
    const { points, score, complete } = history(worked("sss"));
    expect(scores(points)).toEqual([0.335, 0.36825, 0.39984]);
    expect({ score, complete }).toEqual({ score: 0.39984, complete: true });
    expect(points[0]).toEqual({ at: "1970-01-01T00:00:00Z", outcome: "success", score: 0.335, note: "begins" });
  });

  it("TR-26 TR-29 marks the turning points", () => {
    const { points } = history(worked("sssffsss"));
    expect(points.map(({ note }) => note)).toEqual([
      ...["begins", "", "", "recovers towards 0.39984", "2 failures in a row", "", "", "recovery ends"],
    ]);
  });

  it("ignores other domains", () => {
    const store = worked("ff", "file_read", worked("s"));
    expect(scores(history(store).points)).toEqual([0.335]);
    expect(history(store, { domain: "git_read" })).toMatchObject({ points: [], complete: true });
  });

  it("another failure_decay gives a second curve, and the first is unchanged", () => {
    const store = worked("ssfs");
    const { points, score, what_if: whatIf } = history(store, { whatIf: { failure_decay: 0.7 } });
    expect(scores(points)).toEqual([0.335, 0.36825, 0.31301, 0.36453]);
    expect(scores(whatIf?.points)).toEqual([0.335, 0.36825, 0.25778, 0.31345]);
    expect(score).toBe(0.36453);
    expect(whatIf).toMatchObject({ rates: { failure_decay: 0.7 }, score: 0.31345, difference: -0.05108 });
  });

  it("a what-if rate replaces only itself among the recorded rates", () => {
    const store = memoryStore();
    const rates = { ...defaultRates, initial_score: 0.5, failure_decay: 0.9 };
    const change: Change = { record: "trust", do: "rates", rates };
    store.append({ kind: "verdict", event: "SessionStart", session: "s1", decision: "pass", changes: [change] }, 0);
    worked("f", "shell_exec", store);
    const { points, what_if: whatIf } = history(store, { whatIf: { failure_decay: 0.7 } });
    expect(scores(points)).toEqual([0.45]);
    expect(scores(whatIf?.points)).toEqual([0.35]);
  });

  it("TR-30 ends with the loss by absence, at the given rates", () => {
    const now = 40 * DAY;
    const { points, score, what_if: whatIf } = history(worked("s"), { now, whatIf: { hibernation_days: 60 } });
    expect(points.at(-1)).toMatchObject({ outcome: "absence", score, note: "after 40 days away" });
    expect(score).toBe(0.3264);
    expect(scores(whatIf?.points)).toEqual([0.335]);
    expect(whatIf?.difference).toBe(0.0086);
  });

  it("TR-30 marks where an absence ended", () => {
    const store = worked("s");
    const close: Change = { record: "call", do: "close", id: "new", outcome: "success", domain: "shell_exec" };
    store.append(
      { kind: "verdict", event: "PostToolUse", session: "s1", decision: "pass", changes: [close] },
      30 * DAY,
    );
    expect(history(store, { now: 30 * DAY }).points.at(-1)).toMatchObject({
      outcome: "success",
      note: "after 30 days away",
    });
  });

  it("contains the steps made by imports", () => {
    const store = worked("s");
    const set = (domains: Readonly<Record<string, ReturnType<typeof newTrust>>>): Change => {
      return { record: "trust", do: "import", first: true, operations: 30, domains };
    };
    const imported = { ...newTrust(0.6, 5000), operations: 30, successes: 30 };
    store.append({ kind: "action", action: "import", changes: [set({ shell_exec: imported })] }, 5000);
    store.append({ kind: "action", action: "import", changes: [set({})] }, 6000);
    expect(history(store).points.slice(1)).toMatchObject([
      { outcome: "import", score: 0.6 },
      { outcome: "import", score: 0.3, note: "not in the file: begins anew" },
    ]);
  });

  it("says so when the oldest records are missing", () => {
    const store = worked("sss");
    const late = { ...store, records: () => [...store.records()].slice(2) };
    expect(history(late)).toMatchObject({ complete: false });
  });
});
