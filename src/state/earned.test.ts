/** Tests which records change the trust ledger, as a fold over the journal. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change } from "./change.ts";
import type { JournalRecord } from "./record.ts";
import { keyOf } from "./session/awaiting.ts";
import type { CallOutcome } from "./session/calls.ts";
import { EXAMPLE_PROCESS } from "./session/example-session.ts";
import { CANARY } from "./session/session.ts";
import { fold, newState, type State } from "./state.ts";
import { defaultRates, newTrust, recordOutcome, type Trust } from "./trust.ts";

type Body = Readonly<Record<string, unknown>>;

const D = "shell_exec";
const operation = { class: "exec", domain: D, risk: "medium" };

const asked = (call: string, more: Body = {}): Body => ({
  event: "PreToolUse",
  decision: "pass",
  call,
  operation,
  changes: [{ record: "call", do: "open", id: call, tool: "Bash" }],
  ...more,
});
const closes = (call: string, outcome: CallOutcome, more: object = {}): Change => ({
  record: "call",
  do: "close",
  id: call,
  outcome,
  ...more,
});
const ended = (call: string, outcome: CallOutcome, more: Body = {}): Body => ({
  event: "PostToolUse",
  decision: "pass",
  call,
  changes: [closes(call, outcome)],
  ...more,
});

function foldAll(bodies: readonly Body[], from: State = newState): State {
  const records = bodies.map((body, at) => ({ rid: `r${at}`, t: at + 1, kind: "verdict", session: "s", ...body }));
  return (records as unknown as JournalRecord[]).reduce(fold, from);
}

const trustAfter = (...bodies: readonly Body[]): Trust | undefined => foldAll(bodies).trust.domains[D];
const counts = (trust: Trust | undefined) => [trust?.successes ?? 0, trust?.failures ?? 0];

describe("TR-83 an outcome", () => {
  it("TR-82 TR-83 TS-7 counts once, however many events report it", () => {
    const ends = [ended("a", "failure"), ended("a", "failure", { event: "PostToolUseFailure" })] as const;
    const alone = trustAfter(asked("a"), ends[0]);
    expect(alone).toMatchObject({ score: 0.255, failures: 1, operations: 1 });
    for (const order of [ends, [ends[1], ends[0]], [ends[1]], [...ends, ...ends]])
      expect(trustAfter(asked("a"), ...order)).toMatchObject({ score: 0.255, failures: 1, operations: 1 });
    expect(counts(trustAfter(asked("a"), ended("a", "success"), ended("a", "failure")))).toEqual([1, 0]);
    // Nor in another domain: a repeated report finds no open call and therefore no domain.
    expect(foldAll([asked("a"), ...ends, ...ends]).trust).toMatchObject({ operations: 1 });
    expect(Object.keys(foldAll([asked("a"), ...ends]).trust.domains)).toEqual([D]);
    const both = { ...ended("a", "failure"), changes: [closes("a", "failure"), closes("a", "success")] };
    expect(counts(trustAfter(asked("a"), both))).toEqual([0, 1]);
  });

  it("counts in every kind of work of its line if it is a success, in the main one if it is a failure", () => {
    const opened = (call: string): Body =>
      asked(call, {
        changes: [{ record: "call", do: "open", id: call, tool: "Bash", also: ["git_local", "file_read"] }],
      });
    const { trust } = foldAll([opened("a"), ended("a", "success"), opened("b"), ended("b", "failure")]);
    const sums = Object.fromEntries(Object.entries(trust.domains).map(([name, one]) => [name, counts(one)]));
    expect(sums).toEqual({ [D]: [1, 1], git_local: [1, 0], file_read: [1, 0] });
  });

  it("costs nothing if such a failure was to be expected, but still says that the person agreed", () => {
    const open: Body = { changes: [{ record: "call", do: "open", id: "a", tool: "Bash", spared: true }] };
    expect(trustAfter(asked("a", open), ended("a", "failure"))).toBeUndefined();
    expect(counts(trustAfter(asked("a", open), ended("a", "success")))).toEqual([1, 0]);
    const shape = { policy: "p", tool: "Bash", words: "kill", place: "/p" };
    const question: Body = { ...open, decision: "ask", shape };
    const suggestions = (...bodies: readonly Body[]) => JSON.stringify(foldAll(bodies).habits);
    expect(suggestions(asked("a", question), ended("a", "failure"))).toBe(
      suggestions(asked("a", { decision: "ask", shape }), ended("a", "failure")),
    );
  });

  it("TR-84 TS-8 does not count when the call was interrupted or never ran", () => {
    for (const outcome of ["interrupted", "abandoned", "refused", "invalid"] as const)
      expect(foldAll([asked("a"), ended("a", outcome)]).trust).toEqual(newState.trust);
    const swept = { event: "SessionEnd", decision: "pass", changes: [{ record: "call", do: "sweep" }] };
    expect(foldAll([asked("a"), swept]).trust).toEqual(newState.trust);
  });

  it("TR-87 of a refused call changes nothing, even if a later event reports success", () => {
    const refused = asked("a", { decision: "deny", changes: [] });
    const state = foldAll([
      refused,
      ended("a", "success"),
      ended("a", "success", { changes: [closes("a", "success", { domain: D })] }),
    ]);
    expect(state.trust).toEqual(newState.trust);
    expect(state.sessions["s"]?.outcomes).toMatchObject({ refused: 1, success: 0 });
  });

  it("of background work is pending until its end is reported", () => {
    const launched = { event: "PostToolUse", decision: "pass", changes: [{ record: "call", do: "launch", id: "a" }] };
    const told = (outcome: CallOutcome) => ended("a", outcome, { event: "UserPromptSubmit" });
    expect(trustAfter(asked("a"), launched)).toBeUndefined();
    expect(counts(trustAfter(asked("a"), launched, told("success")))).toEqual([1, 0]);
    expect(counts(trustAfter(asked("a"), launched, told("failure")))).toEqual([0, 1]);
    expect(trustAfter(asked("a"), launched, told("interrupted"))).toBeUndefined();
    // A report about an unknown task counts for nothing.
    expect(foldAll([asked("a"), launched, ended("b", "success", { event: "UserPromptSubmit" })]).trust).toEqual(
      newState.trust,
    );
  });

  it("of a call without PreToolUse counts once by its id, even as the first record of a session", () => {
    const late = ended("a", "success", { changes: [closes("a", "success", { domain: "file_write" })] });
    for (const bodies of [[late], [late, late], [asked("z"), late, late], [late, ended("a", "failure")]]) {
      const { domains, operations } = foldAll(bodies).trust;
      expect([domains["file_write"]?.successes, operations]).toEqual([1, 1]);
    }
  });

  it("TR-51 of an unknown tool counts in the global domain", () => {
    const { operation: _, ...nameless } = asked("a");
    expect(foldAll([nameless, ended("a", "success")]).trust.domains).toMatchObject({ _global: { successes: 1 } });
  });

  it("TR-86 of a subagent counts in the same domains, and the record names its type", () => {
    const agent = { agent: { id: "a1", type: "Explore" } };
    const state = foldAll([asked("a", agent), ended("a", "success", agent), asked("b"), ended("b", "success")]);
    expect(state.trust.domains[D]).toMatchObject({ successes: 2 });
    expect(state.sessions["s"]?.actors).toMatchObject({ a1: { type: "Explore" }, main: { type: "main" } });
  });

  it("from twenty concurrent sessions is counted completely", () => {
    const sessions = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const bodies = [
      ...sessions.map((session) => asked("a", { session })),
      ...sessions.map((session) => ended("a", "success", { session })),
    ];
    expect(foldAll(bodies).trust.domains[D]?.successes).toBe(20);
  });
});

describe("events of the host", () => {
  const before = foldAll([asked("a"), ended("a", "success")]);
  const given: Record<string, Trust> = { [D]: newTrust(1, 1) };
  const imported: Change = { record: "trust", do: "import", first: true, operations: 9, domains: given };
  const opened: Change = { record: "stance", do: "set", stance: "building" };

  it("an event from another process changes no trust", () => {
    const forged = Array.from({ length: 50 }, (_, at) => [
      asked(`f${at}`, { unbound: true }),
      ended(`f${at}`, "success", { unbound: true, changes: [closes(`f${at}`, "success", { domain: D })] }),
    ]).flat();
    expect(foldAll(forged, before).trust).toEqual(before.trust);
    const rates = { record: "trust", do: "rates", rates: { ...defaultRates, initial_score: 0.5 } };
    expect(foldAll([asked("x", { unbound: true, changes: [rates] })], before).trust).toEqual(before.trust);
  });

  it("an event cannot import a ledger or widen the stance; only a person's action can", () => {
    for (const event of ["PreToolUse", "PostToolUse", "SessionStart", "UserPromptSubmit", "Stop"]) {
      const state = foldAll([{ event, decision: "pass", changes: [imported, opened] }], before);
      expect(state.trust).toEqual(before.trust);
      expect(state).not.toHaveProperty("stance");
    }
    const person = foldAll([{ kind: "action", action: "import", changes: [imported, opened] }], before);
    expect(person).toMatchObject({ trust: { operations: 9, domains: given }, stance: "building" });
  });

  it("a stance that the person types narrows at once, and widens once the transcript shows the prompt", () => {
    const typed = (changes: readonly object[]) => ({ event: "UserPromptExpansion", decision: "pass", changes });
    const narrow = foldAll([typed([{ record: "stance", do: "set", stance: "auditing" }])], before);
    expect(narrow.stance).toBe("auditing");
    const awaits = { prompt: "mark" };
    const waiting = foldAll([typed([{ ...opened, looser: true, awaits }])], narrow);
    expect(waiting.stance).toBe("auditing");
    const seen = { record: "session", do: "witness", seen: [keyOf(awaits)] };
    expect(foldAll([{ event: "PreToolUse", decision: "pass", changes: [seen] }], waiting).stance).toBe("building");
    expect(foldAll([{ event: "PreToolUse", decision: "pass", changes: [seen] }], narrow).stance).toBe("auditing");
  });

  it("events of the canary do not count", () => {
    expect(foldAll([asked("a", { session: CANARY }), ended("a", "success", { session: CANARY })]).trust).toEqual(
      newState.trust,
    );
  });
});

describe("a person's action", () => {
  it("with an unknown stance keeps the current one", () => {
    const set = (stance: string) => ({
      kind: "action",
      action: "stance",
      changes: [{ record: "stance", do: "set", stance }],
    });
    expect(foldAll([set("planning"), set("anarchy")]).stance).toBe("planning");
    expect(foldAll([set("planning"), set("auditing")]).stance).toBe("auditing");
  });

  it("imports in parts: the first part replaces the ledger, the others add to it", () => {
    const part = (first: boolean, name: string) => ({
      kind: "action",
      action: "import",
      changes: [{ record: "trust", do: "import", first, operations: 3, domains: { [name]: newTrust(0.5, 1) } }],
    });
    const { trust } = foldAll([asked("a"), ended("a", "success"), part(true, "git_read"), part(false, "git_local")]);
    expect(Object.keys(trust.domains)).toEqual(["git_read", "git_local"]);
    expect(trust.operations).toBe(3);
  });
});

describe("law 6: the ledger is a fold", () => {
  it("of any interleaving of calls: each ended call counts at the rates then in force, in journal order", () => {
    const call = fc.record({ id: fc.nat(6).map(String), outcome: fc.constantFrom<CallOutcome>("success", "failure") });
    const step = fc.oneof(
      call.map(({ id }) => asked(id)),
      call.map(({ id, outcome }) => ended(id, outcome)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(40), (bodies, cut) => {
        const state = foldAll(bodies);
        const kept = JSON.parse(JSON.stringify(foldAll(bodies.slice(0, cut)))) as State;
        const rest = bodies.slice(cut).map((body, at) => ({ ...body, t: Math.min(cut, bodies.length) + at + 1 }));
        expect(foldAll(rest, kept).trust).toEqual(state.trust);
        const { success, failure } = state.sessions["s"]?.outcomes ?? { success: 0, failure: 0 };
        expect([state.trust.operations, ...counts(state.trust.domains[D])]).toEqual([
          success + failure,
          success,
          failure,
        ]);
      }),
    );
  });

  it("of rates too: trust earned before a change of rates is kept", () => {
    const rates = { record: "trust", do: "rates", rates: { ...defaultRates, failure_decay: 0.5 } };
    const changed = { event: "SessionStart", decision: "pass", changes: [rates] };
    const state = foldAll([asked("a"), ended("a", "success"), changed, asked("b"), ended("b", "failure")]);
    expect(state.trust.domains[D]?.score).toBe(0.1675);
    const plainly = recordOutcome(recordOutcome(newState.trust, D, "success", 1), D, "failure", 2);
    expect(plainly.domains[D]?.score).toBe(0.28475);
  });
});

describe("a session whose host process was orphaned", () => {
  const begins = (more: object = {}): Body => ({
    event: "SessionStart",
    decision: "pass",
    changes: [{ record: "session", do: "begin", client: EXAMPLE_PROCESS, registration: {}, ...more }],
  });

  it("earns no trust and suggests nothing until a host with a known parent resumes it", () => {
    const question = { decision: "ask", shape: "make", cwd: "/p", objections: [{ policy: "require-trust" }] };
    const alone = foldAll([begins({ castaway: true }), asked("a", question), ended("a", "success")]);
    expect(alone).toMatchObject({ trust: { domains: {} }, suggestions: {}, sessions: { s: { castaway: true } } });
    const later = foldAll([begins(), asked("b", question), ended("b", "success")], alone);
    expect(later.trust.domains[D]).toMatchObject({ successes: 1 });
    expect(Object.values(later.suggestions)).toMatchObject([{ shape: "make", times: 1 }]);
    expect(later.sessions["s"]).not.toHaveProperty("castaway");
  });
});
