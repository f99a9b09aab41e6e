/** TS-70: all policies that may refuse a Stop, at once. */
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../../hosts/index.ts";
import type { Gathered } from "../../kernel/facts.ts";
import type { PlanVerdict } from "../../state/plan-work.ts";
import { STALE_MS } from "../../state/session/modes.ts";
import type { Session } from "../../state/session/session.ts";
import type { EvidenceRule } from "../../state/settings/evidence-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { requireGatehouse } from "../audit/require-gatehouse.ts";
import { ordinaryFacts } from "../describe-policy.ts";
import { exampleMode, PLACE } from "../example.ts";
import { exampleInbox, withMessages } from "../inbox/example-inbox.ts";
import { requireInbox } from "../inbox/require-inbox.ts";
import { requireReceipt } from "../inbox/require-receipt.ts";
import { policies } from "../index.ts";
import { EXAMPLE_TEXT, examplePlan } from "../playbook/example-plan.ts";
import { requireCritic } from "../playbook/require-critic.ts";
import { requireSizeProof } from "../playbook/require-size-proof.ts";
import { requireStepCommit } from "../playbook/require-step-commit.ts";
import { changedTree, worker } from "../proof/example-work.ts";
import { requireClosingEvidence } from "../proof/require-closing-evidence.ts";
import { requireVerification } from "../proof/require-verification.ts";
import { atStop, working } from "./example-stops.ts";
import { requirePersistent } from "./require-persistent.ts";
import { requireQa } from "./require-qa.ts";
import { requireTurbo } from "./require-turbo.ts";

const { render } = hosts[HOST];

/** In another order than the levels, because the position in the table must not matter. */
const LAW = [
  requireTurbo,
  requireQa,
  requirePersistent,
  requireVerification,
  requireClosingEvidence,
  requireInbox,
  requireGatehouse,
];

const changelog: EvidenceRule = {
  name: "changelog",
  when: { event: "Stop" },
  need: { evidence: "change", of: "CHANGELOG.md", freshness: "session" },
  else: "block",
};
const settings = {
  ...defaultSettings,
  roles: { preset: "lead" as const, own: [] },
  gates: { ...defaultSettings.gates, rules: [changelog] },
};
const down = { found: "down", now: "up", detail: "" } as const;
const { inbox } = exampleInbox(withMessages("a"));
const ALL: Gathered = { gatehouse: down, settings, checkedTrees: [changedTree] };
const driven: Session = {
  ...worker,
  modes: { persistent: exampleMode, qa: { ...exampleMode, max: 10 }, turbo: { ...exampleMode, max: 30 } },
};

const ORDER = [
  "require-gatehouse",
  "require-closing-evidence",
  "require-verification",
  "require-persistent",
  "require-qa",
  "require-turbo",
];

/** The size of a change matters only with one of the settings; everything else is the same without it. */
const BY_SIZE: Gathered = {
  settings: { ...settings, plan: { ...settings.plan, required: "auto" } },
  grown: {
    ...{ root: PLACE, commit: "", folders: [] },
    changed: ["a.ts", "b.ts", "c.ts", "d.ts"].map((path) => ({ path, lines: 1, all: 1 })),
  },
};
const WITH_SIZE = [...ORDER.slice(0, 3), "require-size-proof", ...ORDER.slice(3)];

/** A plan whose boxes are all ticked: one step has passed and is not committed, the other claims to be done. */
const said = { of: "critic", verdict: "PASS", step: "1", agent: "a", plan: "", files: "", covered: 1, read: 1, ran: 1 };
const BY_PLAN: Gathered = {
  settings: { ...settings, plan: { ...settings.plan, required: "code", commits: "on" } },
  plan: examplePlan(
    { work: { at: 1, base: "", steps: {}, verdicts: [{ ...said, at: 2 } as PlanVerdict], judged: [] } },
    EXAMPLE_TEXT.replaceAll("[ ]", "[x]"),
  ),
  uncommitted: ["a.ts"],
};
const WITH_PLAN = [...ORDER.slice(0, 3), "require-critic", "require-step-commit", ...ORDER.slice(3)];

/** With a message that waits; the other tests have none. */
const WITH_MAIL: Gathered = { ...ALL, ...(inbox && { inbox }) };
const ORDER_WITH_MAIL = ["require-gatehouse", "require-inbox", ...ORDER.slice(1)];

/** With a message through the host that has not arrived. */
const lost = { id: "m1", to: "bob", from: "alice", subject: "the port", why: "gone" } as const;
const BY_RECEIPT: Gathered = { receipts: { settled: [], lost: [lost] } };
const WITH_RECEIPT = ["require-gatehouse", "require-receipt", ...ORDER.slice(1)];

const at = (session: Session = driven, given: Gathered = {}, more: object = {}) =>
  atStop(LAW, session, { ...ALL, ...given }, more);
const objectors = (session?: Session, given?: Gathered, more?: object): readonly string[] =>
  at(session, given, more).verdict.objections.map(({ policy }) => policy);

describe("TS-70 all policies that refuse a Stop at once", () => {
  it("the order is: the daemon, messages, required evidence, then the modes by priority", () => {
    expect(objectors()).toEqual(ORDER);
    expect(objectors(driven, WITH_MAIL)).toEqual(ORDER_WITH_MAIL);
    const reversed = atStop([...LAW].reverse(), driven, WITH_MAIL).verdict.objections;
    expect(reversed.map(({ policy }) => policy)).toEqual(ORDER_WITH_MAIL);
    const all = atStop([requireSizeProof, ...LAW], driven, { ...ALL, ...BY_SIZE }).verdict;
    expect(all.objections.map(({ policy }) => policy)).toEqual(WITH_SIZE);
    const planned = atStop([requireCritic, requireStepCommit, ...LAW], driven, { ...ALL, ...BY_PLAN }).verdict;
    expect(planned.objections.map(({ policy }) => policy)).toEqual(WITH_PLAN);
    const unheard = atStop([...LAW, requireReceipt], driven, { ...ALL, ...BY_RECEIPT }).verdict;
    expect(unheard.objections.map(({ policy }) => policy)).toEqual(WITH_RECEIPT);
  });

  it("the list contains every policy that may refuse a Stop", () => {
    const may = policies.filter(({ on, bound }) => on.includes("Stop") && bound !== undefined).map(({ id }) => id);
    expect([...may].sort()).toEqual(
      [...new Set([...ORDER_WITH_MAIL, ...WITH_RECEIPT, ...WITH_SIZE, ...WITH_PLAN])].sort(),
    );
  });

  it("TS-34 MD-15 among the modes persistent leads, then QA, then turbo", () => {
    const quiet = { gatehouse: ordinaryFacts.gatehouse, settings: defaultSettings };
    const modes = driven.modes ?? {};
    const law = [requireTurbo, requireQa, requirePersistent];
    const leaderOf = (names: readonly (keyof typeof modes)[]): string | undefined => {
      const left = Object.fromEntries(names.map((name) => [name, modes[name]]));
      return atStop(law, { ...driven, modes: left }, { ...ALL, ...quiet }).verdict.objections[0]?.policy;
    };
    expect(leaderOf(["turbo", "qa", "persistent"])).toBe("require-persistent");
    expect(leaderOf(["turbo", "qa"])).toBe("require-qa");
    expect(leaderOf(["turbo"])).toBe("require-turbo");
  });

  it("MD-15 an outdated mode does not lead; the first mode in force does", () => {
    const modes = { persistent: exampleMode, qa: { ...exampleMode, since: 5 }, turbo: { ...exampleMode, since: 5 } };
    const given = { settings: defaultSettings, checkedTrees: [changedTree] };
    const led = (now: number) =>
      atStop([requireTurbo, requireQa, requirePersistent], { ...driven, modes }, { ...given, now }).session.modes;
    expect(led(STALE_MS)).toMatchObject({ persistent: { count: 1 }, qa: { count: 0 }, turbo: { count: 0 } });
    expect(led(STALE_MS + 1)).toMatchObject({ persistent: { count: 0 }, qa: { count: 1 }, turbo: { count: 0 } });
    expect(led(STALE_MS + 6)).toEqual(modes);
  });

  it("there is one message: the leader in full, the next ones in one line each", () => {
    const { verdict } = at();
    const { stdout } = render("Stop", verdict, { language: "en", id: "r-1" });
    const answer = JSON.parse(stdout) as { decision: string; reason: string };
    expect(answer.decision).toBe("block");
    expect(answer.reason.match(/Sekisho refuses this/g)).toHaveLength(1);
    expect(answer.reason).toContain("The gatehouse was down");
    const also = answer.reason.split("\n").filter((line) => line.startsWith("Also: "));
    expect(also.map((line) => /\[([\w-]+)\]/.exec(line)?.[1])).toEqual(ORDER.slice(1, 4));
  });

  it("only the leader's refusal counts", () => {
    const { verdict, session } = at();
    expect(verdict.changes).toEqual([
      { record: "session", do: "refuse-stop", policy: "require-gatehouse", leads: true },
    ]);
    expect(session.refusals).toEqual({ "require-gatehouse": 1 });
    expect(session.stops).toMatchObject({ refused: 1 });
    expect(session.modes).toEqual(driven.modes);
    expect(session.work).toEqual(driven.work);
  });

  it("if the leader is silent the next one leads, and only its refusal counts", () => {
    const upAgain = { gatehouse: { found: "up", now: "up", detail: "" } as const };
    expect(at(driven, upAgain).session.refusals).toEqual({ "require-closing-evidence": 1 });
    const unruled = at(driven, { ...upAgain, settings: defaultSettings });
    expect(unruled.session.refusals).toEqual({ "require-verification": 1 });
    expect(unruled.session.modes).toEqual(driven.modes);
    const proven = at(driven, { ...upAgain, settings: defaultSettings, checkedTrees: [] });
    expect(proven.session.refusals).toEqual({ "require-persistent": 1 });
    expect(proven.session.modes).toMatchObject({ persistent: { count: 1 }, qa: { count: 0 }, turbo: { count: 0 } });
  });

  it("an agent that works without success may stop in the end, after each policy has used its budget", () => {
    let session = driven;
    const led: Record<string, number> = {};
    let ends = 0;
    for (; ends < 200; ends += 1) {
      const { verdict, session: next } = at(session);
      const [leader] = verdict.objections;
      if (!leader) break;
      led[leader.policy] = (led[leader.policy] ?? 0) + 1;
      session = working(next);
    }
    expect(led).toEqual({
      "require-gatehouse": 5,
      "require-closing-evidence": 3,
      // It asks once for what is missing.
      "require-verification": 1,
      "require-persistent": 20,
      "require-qa": 10,
      // The rest of the ceiling.
      "require-turbo": 21,
    });
    expect(ends).toBe(60);
  });

  it("MD-69 an agent that does nothing may stop after three refusals, and the person is told once", () => {
    let session = driven;
    const decisions: string[] = [];
    let told: readonly string[] = [];
    for (let ends = 0; ends < 5; ends += 1) {
      const ended = at(session);
      decisions.push(ended.verdict.decision);
      session = ended.session;
      told = ended.told;
    }
    expect(decisions).toEqual(["deny", "deny", "deny", "pass", "pass"]);
    expect(told.filter((words) => words.includes("used no tool"))).toHaveLength(1);
    expect(told.filter((words) => words.includes("The mode stays on"))).toHaveLength(1);
    expect(session.modes).toEqual(driven.modes);
  });

  it("the ceiling applies to all policies together, and is reported once", () => {
    const spent = { refused: 60, idle: 1, ended: -1 };
    const { told, verdict, session } = at({ ...driven, stops: spent });
    // If only verification is owed, the notice mentions no mode.
    expect(at({ ...worker, stops: spent }).told.join()).not.toContain("mode");
    expect(verdict.decision).toBe("pass");
    expect(told.filter((words) => words.includes("as often as one turn may be"))).toHaveLength(1);
    expect(session.modes).toEqual(driven.modes);
    const low = { ...settings, stop: { ceiling: 2, idle: 3 } };
    expect(objectors({ ...driven, stops: { refused: 1, idle: 1, ended: -1 } }, { settings: low })).toEqual(ORDER);
    expect(objectors({ ...driven, stops: { refused: 2, idle: 1, ended: -1 } }, { settings: low })).toEqual([]);
  });
});

describe("TS-70 no policy refuses", () => {
  const now = 100_000;

  it("MD-52 when the person has ended the turn, or the host must stop", () => {
    const { verdict, session, told } = at(driven, {}, { mustYield: true });
    expect(verdict).toMatchObject({ decision: "pass", objections: [], changes: [] });
    expect([session, told]).toEqual([driven, []]);
  });

  it.each([
    ["MD-69 a command runs in the background", {}, { backgroundTasks: 1 }],
    ["a subagent does", {}, { backgroundTasks: 1, awaitsAgent: true }],
    ["MD-69 it was cancelled within the last 30 seconds", { cancelledAt: now - 29_999 }, {}],
    [
      "MD-51 the conversation was made shorter within the last minute",
      { compacted: { at: now - 59_999, ended: 0 } },
      {},
    ],
    [
      "MD-69 a question is open",
      { calls: { q: { tool: "AskUserQuestion", at: 1, background: false, asks: true } } },
      {},
    ],
  ] as const)("%s", (_, more, event) => {
    const { verdict, session } = at({ ...driven, ...more }, { now }, event);
    expect(verdict).toMatchObject({ decision: "pass", objections: [] });
    expect(session.modes).toEqual(driven.modes);
    expect(session.refusals).toEqual({});
  });

  it.each([
    ["cancelled 30 seconds ago", { cancelledAt: now - 30_000 }],
    ["made shorter a minute ago", { compacted: { at: now - 60_000, ended: 0 } }],
    ["made shorter, and a tool was used since", { compacted: { at: now - 1, ended: -1 } }],
    ["the clock was put back since it was cancelled", { cancelledAt: now + 3_600_000 }],
    ["the clock was put back since it was made shorter", { compacted: { at: now + 3_600_000, ended: 0 } }],
    ["another tool is under way", { calls: { b: { tool: "Bash", at: 1, background: false } } }],
  ] as const)("the policies refuse again: %s", (_, more) => {
    expect(objectors({ ...driven, ...more }, { now })).toEqual(ORDER);
  });

  it("an alarm of the agent silences the modes only", () => {
    expect(objectors(driven, {}, { wakeUps: 1 })).toEqual(ORDER.slice(0, 3));
  });

  it("MD-50 a completed mode does not end at such a Stop, but at the real end of the turn", () => {
    const done = { lastMessage: "<promise>DONE</promise>" };
    const quiet = { gatehouse: ordinaryFacts.gatehouse, settings: defaultSettings, checkedTrees: [], now };
    const turbo = { ...driven, modes: { turbo: exampleMode } };
    for (const more of [{ cancelledAt: now - 1 }, { compacted: { at: now - 1, ended: 0 } }])
      expect(at({ ...turbo, ...more }, quiet, done).session.modes).toMatchObject({ turbo: { promised: true } });
    expect(at(turbo, quiet, done).session.modes).toBeUndefined();
  });

  it.each([
    ["three times without a tool use", { refused: 3, idle: 3, ended: 0 }],
    ["as often as one turn may be", { refused: 60, idle: 1, ended: 0 }],
  ])(
    "a mode completed in the end is over although the agent was refused %s, but not while something is owed",
    (_, stops) => {
      const done = { lastMessage: "<promise>DONE</promise>" };
      const quiet = { gatehouse: ordinaryFacts.gatehouse, settings: defaultSettings, checkedTrees: [] };
      const turbo = { ...driven, modes: { turbo: exampleMode }, stops };
      const ended = at(turbo, quiet, done);
      expect([ended.session.modes, ended.told]).toEqual([undefined, [expect.stringContaining("Turbo mode is done")]]);
      expect(at(turbo, { ...quiet, checkedTrees: [changedTree] }, done).session.modes).toMatchObject({
        turbo: { promised: true },
      });
    },
  );
});
