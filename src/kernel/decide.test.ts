import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { text } from "../lib/text.ts";
import { operationOf } from "../reading/operation/operation.ts";
import type { Tool } from "../reading/tool.ts";
import { EXAMPLE_PROCESS } from "../state/session/example-session.ts";
import { newSession, reduceSession, type Session } from "../state/session/session.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { decide, type Question, STRICTNESS, standsAfter } from "./decide.ts";
import { EVENT_NAMES, type EventName, type HookEvent } from "./event.ts";
import type { Gathered } from "./facts.ts";
import { faultVerdict, onFault } from "./fault.ts";
import { legal } from "./legal.ts";
import { type Policy, pass, type Ruling } from "./policy.ts";

const word = text("w", "言");
const client = EXAMPLE_PROCESS;
const place = { cwd: "/p", home: "/h" };

/** A bound session in an ordinary state. */
const facts: Gathered = {
  now: 1,
  settings: defaultSettings,
  session: { ...newSession(0), client },
  caller: { process: client, isHost: true, insideAgent: false, heldElsewhere: false },
};

const TOOLS: Readonly<Record<"bash" | "edit" | "read" | "control" | "unknown" | "mcp", Tool>> = {
  bash: { kind: "bash", name: "Bash", command: "make it", background: false },
  edit: { kind: "edit", name: "Edit", path: "/p/a", edits: [] },
  read: { kind: "read", name: "Read", path: "/p/a" },
  control: { kind: "control", name: "Skill" },
  unknown: { kind: "unknown", name: "Novel", words: [] },
  mcp: { kind: "mcp", name: "mcp__a__b", words: [] },
};

function using(tool: Tool, given: Gathered = facts, attended = true): Question {
  const event = { name: "PreToolUse", session: "s", cwd: "/p", attended, tool, call: "c", input: {} } as HookEvent;
  return { event, operation: operationOf(tool, place), facts: given };
}

function stopping(session: Session): Question {
  const event = {
    name: "Stop",
    session: "s",
    cwd: "/p",
    attended: true,
    continued: false,
    lastMessage: "",
    backgroundTasks: 0,
    mustYield: false,
  };
  return { event: event as HookEvent, operation: undefined, facts: { ...facts, session } };
}

function policy(id: string, ruling: Ruling | (() => Ruling), more: Partial<Policy> = {}): Policy {
  return {
    id,
    on: ["PreToolUse", "Stop"],
    needs: [],
    why: word,
    examples: [],
    check: () => (typeof ruling === "function" ? ruling() : ruling),
    ...more,
  };
}

const objecting = (decision: "ask" | "deny"): Ruling => ({ decision, what: word, fix: word });
const boom = (): never => {
  throw new Error("boom");
};

const anyRuling = fc.oneof(
  fc.constant<Ruling>(pass),
  fc.constant(objecting("ask")),
  fc.constant(objecting("deny")),
  fc.constant<Ruling>({ decision: "pass", changes: [{ record: "session", do: "prompt" }] }),
);
/** Includes policies that throw. */
const anyPolicy = fc
  .tuple(fc.integer({ min: 0, max: 99 }), anyRuling, fc.boolean())
  .map(([n, ruling, broken]) => policy(`no-${n}`, broken ? boom : ruling, { bound: 1 }));
const anyLaw = fc.uniqueArray(anyPolicy, { selector: ({ id }) => id, maxLength: 8 });
const anyQuestion = fc.constantFrom(...Object.values(TOOLS)).map((tool) => using(tool));

describe("the strictest ruling wins", () => {
  it("the order of policies does not matter", () => {
    fc.assert(
      fc.property(anyQuestion, anyLaw, (question, law) => {
        const forward = decide(question, law);
        const backward = decide(question, [...law].reverse());
        expect(backward.decision).toBe(forward.decision);
        expect(backward.objections).toEqual(forward.objections);
      }),
    );
  });

  it("adding a policy never loosens a verdict", () => {
    fc.assert(
      fc.property(anyQuestion, anyLaw, anyPolicy, (question, law, more) => {
        const without = decide(question, law);
        const added = decide(question, [
          ...law.filter(({ id }) => id !== more.id),
          { ...more, id: `${more.id}-added` },
          ...law.filter(({ id }) => id === more.id),
        ]);
        expect(STRICTNESS[added.decision]).toBeGreaterThanOrEqual(STRICTNESS[without.decision]);
      }),
    );
  });

  it("a verdict is exactly as strict as its strictest objection", () => {
    fc.assert(
      fc.property(anyQuestion, anyLaw, (question, law) => {
        const verdict = decide(question, law);
        const strictest = Math.max(0, ...verdict.trace.map(({ ruling }) => STRICTNESS[ruling.decision]));
        expect(STRICTNESS[verdict.decision]).toBe(strictest);
      }),
    );
  });

  it("a denied action records only the changes of its objectors", () => {
    const tracker = policy("track-a", { decision: "pass", changes: [{ record: "session", do: "prompt" }] });
    expect(decide(using(TOOLS.bash), [tracker, policy("no-b", objecting("deny"))]).changes).toEqual([]);
    expect(decide(using(TOOLS.bash), [tracker]).changes).toHaveLength(1);
  });

  it.each(["Stop", "SubagentStop"] as const)("a refused %s still records the changes of other policies", (name) => {
    const tracker: Policy = {
      ...policy("track-a", { decision: "pass", changes: [{ record: "session", do: "prompt" }] }),
      on: [name],
    };
    const holder: Policy = { ...policy("require-b", objecting("deny")), on: [name], bound: 1 };
    const event = {
      ...using(TOOLS.bash).event,
      name,
      continued: false,
      lastMessage: "",
      backgroundTasks: 0,
      mustYield: false,
      transcript: "",
    } as unknown as HookEvent;
    const verdict = decide({ event, operation: undefined, facts }, [tracker, holder]);
    expect(verdict.decision).toBe("deny");
    expect(verdict.changes).toContainEqual({ record: "session", do: "prompt" });
  });

  it("a disabled policy is not evaluated, unless it belongs to the floor", () => {
    const off: Gathered = { ...facts, settings: { ...defaultSettings, policies: { "no-a": "off" } } };
    expect(decide(using(TOOLS.bash, off), [policy("no-a", objecting("deny"))]).decision).toBe("pass");
    expect(decide(using(TOOLS.bash, off), [policy("no-a", objecting("deny"), { floor: true })]).decision).toBe("deny");
  });
});

describe("internal faults close gates and allow Stop", () => {
  it("EH-1 a broken policy refuses changes and allows reading and control tools", () => {
    const decisions = Object.fromEntries(
      Object.entries(TOOLS).map(([kind, tool]) => [kind, decide(using(tool), [policy("no-a", boom)]).decision]),
    );
    expect(decisions).toEqual({
      bash: "deny",
      edit: "deny",
      unknown: "deny",
      mcp: "deny",
      read: "pass",
      control: "pass",
    });
  });

  it("EH-1 the refusal names the failing component and a way out", () => {
    const [objection] = decide(using(TOOLS.edit), [policy("no-a", boom)]).objections;
    expect(objection?.why.en).toContain("boom");
    expect(objection?.policy).toBe("no-a");
    expect(objection?.fix.en).toContain("sekisho uninstall");
  });

  it("a broken policy never opens a gate that another policy closed", () => {
    fc.assert(
      fc.property(anyQuestion, anyLaw, (question, law) => {
        const sound = decide(question, law);
        const broken = decide(question, [...law, policy("no-broken", boom)]);
        expect(STRICTNESS[broken.decision]).toBeGreaterThanOrEqual(STRICTNESS[sound.decision]);
      }),
    );
  });

  it("a policy whose applies() throws counts as broken", () => {
    expect(decide(using(TOOLS.bash), [policy("no-a", pass, { applies: boom, check: boom })]).decision).toBe("deny");
  });

  it("EH-10 an error never blocks a Stop", () => {
    expect(decide(stopping(newSession(0)), [policy("require-a", boom, { bound: 3 })]).decision).toBe("pass");
  });

  it("EH-9 EH-12 EH-13 our own failure refuses at the gates and nowhere else", () => {
    const refusing = EVENT_NAMES.filter((name) => onFault(name, undefined) === "deny");
    expect(refusing).toEqual(["PreToolUse", "ConfigChange"]);
    for (const name of EVENT_NAMES)
      expect(faultVerdict(name, undefined, "x", "y").decision).toBe(onFault(name, undefined));
  });

  it("an unknown fact is a fault only for a policy that reads it", () => {
    const unknown: Gathered = { ...facts, places: { unknown: "the disk is gone" } };
    const reads = policy("no-a", pass, {
      needs: ["places"],
      check: ({ facts: { places } }) => (places.home === "/" ? pass : pass),
    });
    const ignores = policy("no-b", pass, { needs: ["places"], check: () => pass });
    expect(decide(using(TOOLS.bash, unknown), [ignores]).decision).toBe("pass");
    const verdict = decide(using(TOOLS.bash, unknown), [reads]);
    expect(verdict.decision).toBe("deny");
    expect(verdict.objections[0]?.fault).toContain("the disk is gone");
  });

  it("if the session cannot be read, the gates that need it refuse and the others still judge", () => {
    const nobody: Gathered = { ...facts, session: { unknown: "the journal cannot be read" } };
    const needs = policy("require-a", pass, {
      needs: ["session"],
      check: ({ facts: { session } }) => (session.endedAt ? pass : pass),
    });
    expect(decide(using(TOOLS.edit, nobody), [needs]).decision).toBe("deny");
    expect(decide(using(TOOLS.edit, nobody), [policy("no-b", pass)]).decision).toBe("pass");
    expect(decide(using(TOOLS.edit, nobody), [policy("no-b", objecting("deny"))]).decision).toBe("deny");
  });
});

describe("every Stop refusal has a bound", () => {
  /** Sends Stop events, folding each refusal into the session, until one passes. */
  function refusalsUntilRelease(law: readonly Policy[]): number {
    let session: Session = { ...newSession(0), client };
    for (let count = 0; count < 1_000; count++) {
      const verdict = decide(stopping(session), law);
      if (verdict.decision === "pass") return count;
      session = verdict.changes.reduce((next, change) => reduceSession(next, change, 1), session);
      expect(standsAfter(verdict, stopping(session), law, session)).toBe(true);
    }
    return Number.POSITIVE_INFINITY;
  }

  it("a Stop is refused at most as often as the sum of its policies' bounds", () => {
    const law = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5 })), {
      selector: ([id]) => id,
      maxLength: 5,
    });
    fc.assert(
      fc.property(law, (entries) => {
        const policies = entries.map(([id, bound]) => policy(`require-${id}`, objecting("deny"), { bound }));
        const total = entries.reduce((sum, [, bound]) => sum + bound, 0);
        expect(refusalsUntilRelease(policies)).toBeLessThanOrEqual(total);
      }),
    );
  });

  it("a policy without a bound never refuses a Stop", () => {
    expect(refusalsUntilRelease([policy("require-a", objecting("deny"))])).toBe(0);
    expect(refusalsUntilRelease([policy("require-a", objecting("deny"), { bound: 2 })])).toBe(2);
  });

  it("EH-11 a refusal beyond its bound is not sent, whichever process counted it", () => {
    const law = [policy("require-a", objecting("deny"), { bound: 1 })];
    const verdict = decide(stopping({ ...newSession(0), client }), law);
    expect(standsAfter(verdict, stopping(newSession(0)), law, { refusals: { "require-a": 1 } })).toBe(true);
    expect(standsAfter(verdict, stopping(newSession(0)), law, { refusals: { "require-a": 2 } })).toBe(false);
  });

  it("a refusal beyond the idle limit or the mode's limit is not sent, because a parallel process may have used the last one", () => {
    const mode = { since: 0, by: "prompt", task: "", count: 1, max: 1 } as const;
    const refusing = { ...objecting("deny"), changes: [{ record: "mode", do: "refuse", mode: "qa" }] } as const;
    const law = [policy("require-a", refusing, { bound: 60 })];
    const question = stopping({ ...newSession(0), client });
    const verdict = decide(question, law);
    const stands = (idle: number, modes: Session["modes"]): boolean =>
      standsAfter(verdict, question, law, {
        refusals: {},
        stops: { refused: idle, idle, ended: 0 },
        modes: modes ?? {},
      });
    const { idle } = defaultSettings.stop;
    expect(stands(idle, { qa: mode })).toBe(true);
    expect(stands(idle + 1, { qa: mode })).toBe(false);
    expect(stands(1, { qa: { ...mode, count: 2 } })).toBe(false);
    // The person ended the mode in a terminal meanwhile.
    expect(stands(1, { turbo: mode })).toBe(false);
  });

  it("a refusal stands for a mode whose end a record claims, up to the mode's own limit", () => {
    const mode = { since: 0, by: "prompt", task: "", count: 1, max: 2 } as const;
    const refusing = { ...objecting("deny"), changes: [{ record: "mode", do: "refuse", mode: "qa" }] } as const;
    const law = [policy("require-a", refusing, { bound: 60 })];
    const stands = (count: number): boolean => {
      const question = stopping({ ...newSession(0), client, modes: { qa: { ...mode, count } } });
      const witness = { isNeeded: true, isThere: true, gaps: [], again: ["qa"] };
      const again = { ...question, facts: { ...question.facts, witness } };
      return standsAfter(decide(again, law), again, law, { refusals: {}, modes: {} });
    };
    expect([stands(1), stands(2)]).toEqual([true, false]);
  });

  it("no policy is evaluated when the host must stop", () => {
    const question = stopping({ ...newSession(0), client });
    const must = { ...question, event: { ...question.event, mustYield: true } as HookEvent };
    expect(decide(must, [policy("require-a", objecting("deny"), { bound: 9 })]).trace).toEqual([]);
  });

  it("only a person's prompt resets the refusal counts", () => {
    expect(decide(stopping({ ...newSession(0), client }), []).changes).toEqual([]);
    const refused = { ...newSession(0), refusals: { a: 3 } };
    expect(reduceSession(refused, { record: "session", do: "prompt" }, 1).refusals).toEqual({});
    expect(reduceSession(refused, { record: "call", do: "sweep" }, 1).refusals).toEqual({ a: 3 });
  });
});

describe("ask rulings", () => {
  it("EH-31 become a refusal with an explanation when no person can answer", () => {
    const law = [policy("no-a", objecting("ask"))];
    expect(decide(using(TOOLS.bash), law).decision).toBe("ask");
    const alone = decide(using(TOOLS.bash, facts, false), law);
    expect(alone.decision).toBe("deny");
    expect(alone.objections[0]?.what.en).toContain("nobody is here");
  });

  const trust: Ruling = { ...objecting("ask"), onlyTrust: true };
  const headless: Gathered = { ...facts, session: { ...newSession(0), client, headless: true } };

  it("EH-31 pass with a record when they are only about trust and the session began without a person", () => {
    const verdict = decide(using(TOOLS.bash, headless, false), [policy("require-a", trust)]);
    expect(verdict).toMatchObject({
      decision: "pass",
      lifted: [{ by: "headless", objection: { policy: "require-a" } }],
    });
  });

  it("EH-31 are refused without a person when one of them is about damage", () => {
    const law = [policy("require-a", trust), policy("no-b", objecting("ask"))];
    expect(decide(using(TOOLS.bash, headless, false), law)).toMatchObject({ decision: "deny", wayOut: "allow" });
    const floor: Ruling = { ...trust, floor: true };
    expect(decide(using(TOOLS.bash, headless, false), [policy("require-a", floor)]).decision).toBe("deny");
    const refusal: Ruling = { ...trust, decision: "deny" };
    expect(decide(using(TOOLS.bash, headless, false), [policy("require-a", refusal)]).decision).toBe("deny");
  });

  it("about trust are asked and refused as before in a session that began with a person", () => {
    const law = [policy("require-a", trust)];
    expect(decide(using(TOOLS.bash, headless), law).decision).toBe("ask");
    expect(decide(using(TOOLS.bash, facts, false), law).decision).toBe("deny");
    const stranger = { process: { pid: 9, started: "2" }, isHost: false, insideAgent: false, heldElsewhere: true };
    expect(decide(using(TOOLS.bash, { ...headless, caller: stranger }, false), law).decision).toBe("deny");
    const strict = { ...defaultSettings, ask: { headless: "deny" as const } };
    expect(decide(using(TOOLS.bash, { ...headless, settings: strict }, false), law).decision).toBe("deny");
  });

  it("are left to the host if the setting says so", () => {
    const settings = { ...defaultSettings, ask: { headless: "ask" as const } };
    expect(decide(using(TOOLS.bash, { ...facts, settings }, false), [policy("no-a", objecting("ask"))]).decision).toBe(
      "ask",
    );
  });

  it("are converted to a decision that the event supports", () => {
    const events: readonly EventName[] = [...EVENT_NAMES, "Unknown"];
    for (const name of events) {
      expect(legal(name, "pass")).toBe("pass");
      if (name !== "PreToolUse") expect(legal(name, "ask")).not.toBe("ask");
    }
    expect(legal("PostToolUse", "deny")).toBe("pass");
    expect(legal("Stop", "ask")).toBe("deny");
  });
});

describe("binding", () => {
  const tracker = policy("track-a", { decision: "pass", changes: [{ record: "session", do: "prompt" }] });
  const stranger = { process: { pid: 9, started: "2" }, isHost: false, insideAgent: false, heldElsewhere: true };

  it("an event of another process records no changes", () => {
    const verdict = decide(using(TOOLS.bash, { ...facts, caller: stranger }), [tracker]);
    expect(verdict).toMatchObject({ unbound: true, changes: [] });
    expect(decide(using(TOOLS.bash), [tracker]).unbound).toBe(false);
  });

  it("an unbound event is still judged at the gate", () => {
    expect(
      decide(using(TOOLS.bash, { ...facts, caller: stranger }), [policy("no-a", objecting("deny"))]).decision,
    ).toBe("deny");
  });

  it("an unbound event cannot block a Stop, because the refusal could not be counted", () => {
    const question = stopping({ ...newSession(0), client });
    const foreign = { ...question, facts: { ...question.facts, caller: stranger } };
    expect(decide(foreign, [policy("require-a", objecting("deny"), { bound: 5 })]).decision).toBe("pass");
  });
});

describe("the approval and changed input of a pass", () => {
  const earned: Ruling = { decision: "pass", approve: word, input: { model: "opus" } };
  const stranger = { process: { pid: 9, started: "2" }, isHost: false, insideAgent: false, heldElsewhere: true };
  const said = (question: Question, law: readonly Policy[]) => {
    const { approval, input } = decide(question, law);
    return { approval, input };
  };
  const nothing = { approval: undefined, input: undefined };

  it("are kept when no policy objects; input fields that the ruling does not name stay", () => {
    const question = using(TOOLS.bash);
    const given = { ...question, event: { ...question.event, input: { a: 1, model: "haiku" } } as HookEvent };
    const law = [policy("require-a", earned), policy("track-b", pass)];
    expect(said(given, law)).toEqual({ approval: word, input: { a: 1, model: "opus" } });
  });

  it("are dropped when a policy objects, a policy fails, or the event is unbound", () => {
    fc.assert(
      fc.property(anyQuestion, anyLaw, fc.boolean(), (question, law, isStranger) => {
        const asked = isStranger ? { ...question, facts: { ...question.facts, caller: stranger } } : question;
        const verdict = decide(asked, [...law, policy("require-earned", earned)]);
        const isPlain = verdict.trace.every(({ ruling, fault }) => ruling.decision === "pass" && fault === undefined);
        expect("approval" in verdict).toBe(isPlain && !isStranger);
        expect("input" in verdict).toBe(isPlain && !isStranger);
      }),
    );
  });

  it("are dropped for a read when a policy failed, although the read is allowed", () => {
    const verdict = decide(using(TOOLS.read), [policy("require-a", earned), policy("no-b", boom)]);
    expect(verdict.decision).toBe("pass");
    expect(verdict).not.toHaveProperty("approval");
  });

  it("are dropped when a pause or grant lifts an objection", () => {
    const leave = { grants: [], pause: { at: 0, until: 100 } };
    const law = [policy("require-a", earned), policy("no-b", objecting("ask"))];
    const verdict = decide(using(TOOLS.bash, { ...facts, leave }), law);
    expect(verdict.decision).toBe("pass");
    expect(verdict.lifted).toHaveLength(1);
    expect(said(using(TOOLS.bash, { ...facts, leave }), law)).toEqual(nothing);
  });

  it("are ignored from a disabled policy and at another event", () => {
    const off = { ...facts, settings: { ...defaultSettings, policies: { "require-a": "off" as const } } };
    expect(said(using(TOOLS.bash, off), [policy("require-a", earned)])).toEqual(nothing);
    expect(said(stopping({ ...newSession(0), client }), [policy("require-a", earned)])).toEqual(nothing);
  });
});
