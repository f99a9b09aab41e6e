/** The termination argument of docs/why-a-turn-ends.md, tested as properties over arbitrary events. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasMarker } from "../../evidence/marker.ts";
import { mayNotRefuse } from "../../kernel/arbiter.ts";
import { decide, type Verdict } from "../../kernel/decide.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type Gathered, type HostTasks, NO_TASKS, type Plan } from "../../kernel/facts.ts";
import { planOf } from "../../kernel/mode-progress.ts";
import { startChanges } from "../../kernel/mode-start.ts";
import { own } from "../../lib/keyed.ts";
import type { Change } from "../../state/change.ts";
import type { JournalRecord } from "../../state/record.ts";
import { MODES, type ModeName, modesInForce } from "../../state/session/modes.ts";
import { newSession, type Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { fold, newState, type State } from "../../state/state.ts";
import { requireGatehouse } from "../audit/require-gatehouse.ts";
import { trackSession } from "../audit/track-session.ts";
import { ordinaryFacts } from "../describe-policy.ts";
import { changedTree, having, resultOf, worker } from "../proof/example-work.ts";
import { requireClosingEvidence } from "../proof/require-closing-evidence.ts";
import { requireVerification } from "../proof/require-verification.ts";
import { requirePersistent } from "./require-persistent.ts";
import { requireQa } from "./require-qa.ts";
import { requireTurbo } from "./require-turbo.ts";
import { trackModes } from "./track-modes.ts";

const LAW = [
  ...[requireGatehouse, requireVerification, requireClosingEvidence, trackSession, trackModes],
  ...[requirePersistent, requireQa, requireTurbo],
];

const ID = "s-1";

/** The circumstances of an event. */
interface World {
  readonly plans: readonly Plan[];
  readonly hostTasks: HostTasks;
  readonly gatehouse: "up" | "back";
  readonly isChecked: boolean;
}

type Happening =
  | { readonly do: "stop"; readonly said: string; readonly background: number; readonly wakeUps: number }
  | { readonly do: "tool"; readonly outcome: "success" | "failure" | "refused" }
  | { readonly do: "prompt"; readonly words: string }
  | { readonly do: "notify" | "compact" | "pause" | "ask" | "answer" | "subagent" }
  | { readonly do: "wait"; readonly ms: number };

const said = fc.constantFrom(
  "Half of it.",
  "<promise>DONE</promise>",
  "<promise>QA_COMPLETE</promise>",
  "Shall I go on?",
);
const stop = fc.record({
  do: fc.constant("stop" as const),
  said,
  background: fc.constantFrom(0, 0, 0, 1),
  wakeUps: fc.constantFrom(0, 0, 0, 1),
});
const tool = fc.record({
  do: fc.constant("tool" as const),
  outcome: fc.constantFrom("success" as const, "failure" as const, "refused" as const),
});
/** Events that involve no person. */
const automatic: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: stop },
  { weight: 3, arbitrary: tool },
  fc.constantFrom<Happening>({ do: "notify" }, { do: "pause" }, { do: "ask" }, { do: "answer" }, { do: "subagent" }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1_000, 70_000, 3_600_000) }),
);
const anything: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: automatic },
  fc.record({
    do: fc.constant("prompt" as const),
    words: fc.constantFrom("go on", "/persistent build it", "/turbo build it", "/qa", "/cancel", "add a cancel button"),
  }),
  fc.constant<Happening>({ do: "compact" }),
);

const plan: Plan = { path: ".tmp/plans/a.md", modified: 1e12, told: false, own: true, done: 1, total: 2, open: ["b"] };
const world: fc.Arbitrary<World> = fc.record({
  plans: fc.constantFrom([], [plan], [{ ...plan, done: 2, open: [] }]),
  hostTasks: fc.constantFrom(
    NO_TASKS,
    { open: 1, done: 0, shown: [], changedAt: 1e12 },
    { open: 0, done: 1, shown: [], changedAt: 1e12 },
  ),
  gatehouse: fc.constantFrom("up" as const, "up" as const, "back" as const),
  isChecked: fc.boolean(),
});

const settings: fc.Arbitrary<Settings> = fc
  .record({
    ceiling: fc.integer({ min: 1, max: 60 }),
    idle: fc.integer({ min: 1, max: 10 }),
    max: fc.integer({ min: 1, max: 12 }),
    isRuled: fc.boolean(),
  })
  .map(({ ceiling, idle, max, isRuled }) => ({
    ...defaultSettings,
    stop: { ceiling, idle },
    modes: { ...defaultSettings.modes, persistent_max: max, qa_max: max, turbo_max: max },
    gates: {
      ...defaultSettings.gates,
      rules: isRuled
        ? [
            {
              name: "marked",
              when: { event: "Stop" as const },
              need: { evidence: "marker" as const, of: "SIGNED", freshness: "session" as const },
              else: "block" as const,
              bound: 5,
            },
          ]
        : [],
    },
  }));

const beginning: fc.Arbitrary<Session> = fc.constantFrom(
  { ...newSession(0), client: ordinaryFacts.caller.process },
  worker,
  having(resultOf("failed")),
  having(resultOf("passed")),
);

/** A session as the journal folds it: every verdict is a record, and only records change the session. */
class Play {
  state: State;
  t = 10_000;
  count = 0;
  refused = 0;

  readonly settings: Settings;

  constructor(session: Session, settings: Settings) {
    this.settings = settings;
    this.state = { ...newState, sessions: { [ID]: session }, t: this.t };
  }

  get session(): Session {
    return this.state.sessions[ID] as Session;
  }

  facts({ plans, hostTasks, gatehouse, isChecked }: World): Gathered {
    return {
      ...ordinaryFacts,
      now: this.t,
      session: this.session,
      settings: this.settings,
      waitingModes: this.state.modes ?? {},
      plans,
      hostTasks,
      gatehouse: { found: gatehouse === "up" ? "up" : "down", now: "up", detail: "" },
      checkedTrees: isChecked ? [changedTree] : [],
    };
  }

  keep(event: string, changes: readonly Change[], decision: Verdict["decision"] = "pass"): void {
    const record = { kind: "verdict", event, session: ID, decision, changes, rid: `r${++this.count}`, t: this.t };
    this.state = fold(this.state, record as JournalRecord);
  }

  judge(fields: { readonly name: HookEvent["name"] } & Readonly<Record<string, unknown>>, around: World): Verdict {
    const event = { session: ID, cwd: "/home/dev/project", attended: true, ...fields } as unknown as HookEvent;
    const verdict = decide({ event, operation: undefined, facts: this.facts(around) }, LAW);
    expect(verdict.trace.flatMap(({ fault }) => fault ?? [])).toEqual([]);
    this.keep(event.name, verdict.changes, verdict.decision);
    return verdict;
  }

  stop({ said: lastMessage, background, wakeUps }: Happening & { readonly do: "stop" }, around: World): Verdict {
    const verdict = this.judge(stopping(lastMessage, background, wakeUps), around);
    if (verdict.decision !== "pass") this.refused += 1;
    return verdict;
  }

  happen(what: Happening, around: World): void {
    this.t += 1;
    const id = `call-${++this.count}`;
    const open: Change = { record: "call", do: "open", id, tool: "Bash" };
    switch (what.do) {
      case "stop":
        this.stop(what, around);
        break;
      case "tool":
        this.keep("PreToolUse", [open]);
        this.keep("PostToolUse", [{ record: "call", do: "close", id, outcome: what.outcome }]);
        break;
      case "prompt":
        this.judge({ name: "UserPromptSubmit", prompt: what.words }, around);
        break;
      case "notify":
        this.judge(
          { name: "UserPromptSubmit", prompt: "<task-notification>cancel</task-notification>", automatic: true },
          around,
        );
        break;
      case "compact":
        this.keep("PreCompact", [{ record: "session", do: "compact" }]);
        break;
      case "pause":
        this.keep("StopFailure", [{ record: "mode", do: "pause", why: "rate_limit" }]);
        break;
      case "ask":
        this.keep("PreToolUse", [{ ...open, id: "question", asks: true }]);
        break;
      case "answer":
        this.keep("PostToolUse", [{ record: "call", do: "close", id: "question", outcome: "success" }]);
        break;
      case "subagent":
        this.judge({ ...stopping("Done.", 0, 0), name: "SubagentStop", agent: { id: "a", type: "x" } }, around);
        break;
      default:
        this.t += what.ms;
    }
  }

  /** How many times a Stop of this turn may still be refused. */
  get budget(): number {
    const { refusals, stops, modes } = this.session;
    const obligations = [requireGatehouse, requireVerification, requireClosingEvidence].map(
      ({ id, bound = 0 }) => bound - (own(refusals, id) ?? 0),
    );
    const drives = modesInForce(modes, this.t).map(({ count, max }) => max - count);
    const sum = [...obligations, ...drives].reduce((all, one) => all + Math.max(0, one), 0);
    return Math.min(this.settings.stop.ceiling - (stops?.refused ?? 0), sum);
  }
}

function stopping(lastMessage: string, backgroundTasks: number, wakeUps: number) {
  return {
    ...{ name: "Stop" as const, continued: true, transcript: "", mustYield: false },
    ...{ lastMessage, backgroundTasks, wakeUps },
  };
}

describe("the end of a turn", () => {
  it("TS-70 MD-57 in any course of events, an agent that keeps stopping may stop after at most min(ceiling, sum of budgets) refusals", () => {
    fc.assert(
      fc.property(
        beginning,
        settings,
        fc.array(fc.tuple(anything, world), { maxLength: 25 }),
        fc.array(fc.tuple(automatic, world), { minLength: 1, maxLength: 120 }),
        (session, set, before, after) => {
          const play = new Play(session, set);
          for (const [what, around] of before) play.happen(what, around);
          const budget = play.budget;
          play.refused = 0;
          for (const [what, around] of after) play.happen(what, around);
          expect(play.refused).toBeLessThanOrEqual(budget);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("an agent that only stops may stop after the allowed number of idle refusals", () => {
    fc.assert(
      fc.property(beginning, settings, fc.array(fc.tuple(anything, world), { maxLength: 25 }), world, (...all) => {
        const [session, set, before, around] = all;
        const play = new Play(session, set);
        for (const [what, then] of before) play.happen(what, then);
        play.refused = 0;
        let stops = 0;
        while (play.stop({ do: "stop", said: "Done.", background: 0, wakeUps: 0 }, around).decision !== "pass") {
          stops += 1;
          expect(stops).toBeLessThanOrEqual(set.stop.idle);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("MD-50 an agent with an incomplete mode is refused at least once, unless no policy may refuse or the budget is spent", () => {
    let held = 0;
    fc.assert(
      fc.property(
        beginning,
        settings,
        fc.array(fc.tuple(anything, world), { maxLength: 20 }),
        world,
        fc.constantFrom<ModeName>(...MODES),
        (session, set, before, around, name) => {
          const play = new Play(session, set);
          for (const [what, then] of before) play.happen(what, then);
          play.keep("UserPromptSubmit", startChanges(name, { by: "prompt", task: "build it" }, set));
          const half = stopping("Half of it.", 0, 0);
          const event = { ...half, session: ID, cwd: "/", attended: true } as HookEvent<"Stop">;
          const free = mayNotRefuse(event, play.facts(around));
          const open = modesInForce(play.session.modes, play.t).filter(
            (mode) =>
              mode.paused === undefined &&
              mode.count < mode.max &&
              mode.analysed === undefined &&
              !(mode.name === "turbo" && mode.with !== undefined) &&
              !isComplete(mode.name, play, around),
          );
          const verdict = play.judge(half, around);
          if (free !== undefined || open.length === 0) return;
          held += 1;
          expect(verdict.decision).toBe("deny");
        },
      ),
      { numRuns: 400 },
    );
    // The property is meaningful only if such turns occurred.
    expect(held).toBeGreaterThan(40);
  });

  it("MD-18 no linked mode outlives the mode that started it", () => {
    fc.assert(
      fc.property(beginning, settings, fc.array(fc.tuple(anything, world), { maxLength: 60 }), (session, set, all) => {
        const play = new Play(session, set);
        for (const [what, around] of all) {
          play.happen(what, around);
          const { turbo, persistent } = play.session.modes ?? {};
          if (turbo?.with === "persistent") expect(persistent).toBeDefined();
        }
      }),
    );
  });
});

/** Computed independently, from the facts alone. */
function isComplete(name: ModeName, { session, t }: Play, { plans, hostTasks, isChecked }: World): boolean {
  const mode = session.modes?.[name];
  if (!mode) return true;
  if (name === "turbo")
    return mode.promised === true || (hostTasks.open === 0 && hostTasks.done > 0 && hostTasks.changedAt >= mode.since);
  if (name === "persistent") {
    const held = planOf(mode, plans);
    if (held === undefined) return mode.promised === true || hasMarker("", "DONE");
    return held !== "missing" && held.done === held.total;
  }
  const passed =
    session.checks !== undefined && Object.values(session.checks).some(({ whole }) => whole?.outcome === "passed");
  return isChecked ? passed && t - 700 <= 30 * 60_000 : mode.promised === true;
}
