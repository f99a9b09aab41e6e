import { describe, expect, it } from "vitest";
import type { HookEvent } from "../../kernel/event.ts";
import type { Gathered } from "../../kernel/facts.ts";
import { isPersons } from "../../kernel/persons-prompt.ts";
import type { Example } from "../../kernel/policy.ts";
import { approvedIn } from "../../language/approval.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { lookMark, newProof, type Proof, SENT_MAX } from "../../state/session/proof.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PROJECT, verdictOf } from "../describe-policy.ts";
import { bash, read, using } from "../example.ts";
import { verdictIn } from "./review.ts";
import { trackProof } from "./track-proof.ts";

const SKILL = using({ kind: "control", name: "Skill", skill: "praxis:code-quality-rules" }, "PostToolUse");

function session(tool: string | undefined, proof: Partial<Proof> = {}, more: Partial<Session> = {}): Session {
  const calls = tool === undefined ? {} : { "call-1": { tool, at: 0, background: false } };
  return boundSession({ calls, proof: { ...newProof, ...proof }, ...more });
}

function shown(when: Example["when"], given: Gathered) {
  return verdictOf(trackProof, when, given).changes;
}

describe("GT-4 a skill", () => {
  const open = { session: session("Skill") };

  it("GT-9 an invoked skill counts, without its plugin's name", () => {
    expect(shown(SKILL, open)).toEqual([{ record: "proof", do: "skill", name: "code-quality-rules" }]);
  });

  it("a skill that a subagent invoked counts for that subagent", () => {
    expect(shown({ ...SKILL, agent: { id: "a1", type: "x" } }, open)).toEqual([
      { record: "proof", do: "skill", name: "code-quality-rules", agent: "a1" },
    ]);
  });

  it.each([
    ["that nobody saw begin", SKILL, { session: session(undefined) }],
    ["that failed", { ...SKILL, failed: true }, open],
    ["that was only launched", { ...SKILL, background: true }, open],
    ["whose call is another tool's", SKILL, { session: session("Bash") }],
    ["without a name", using({ kind: "control", name: "Skill" }, "PostToolUse"), open],
    [
      "of a name that would be another agent's",
      using({ kind: "control", name: "Skill", skill: "a1/x" }, "PostToolUse"),
      open,
    ],
    [
      "that a command speaks of",
      { ...bash("echo code-quality-rules"), name: "PostToolUse" },
      { session: session("Bash") },
    ],
    ["in an event of somebody else", SKILL, { ...open, caller: stranger() }],
    ["before it runs", { ...SKILL, name: "PreToolUse" }, open],
  ] as const)("%s is not evidence", (_, when, given) => expect(shown(when, given)).toEqual([]));

  it("GT-4 a skill that the person names with a slash counts as invoked", () => {
    expect(shown({ name: "UserPromptExpansion", command: "praxis:code-quality-rules" }, {})).toEqual([
      { record: "proof", do: "skill", name: "code-quality-rules" },
    ]);
    expect(shown({ name: "UserPromptExpansion", command: "" }, {})).toEqual([]);
  });
});

describe("a read", () => {
  const rules = { ...defaultSettings.rules, read_before_edit: "deny" as const };
  const asked = { settings: { ...defaultSettings, rules }, session: session("Read") };
  const READ = { ...read("a.ts"), name: "PostToolUse" } as const;

  it("is recorded under its resolved path, and only while a rule needs it", () => {
    expect(shown(READ, asked)).toEqual([{ record: "proof", do: "read", path: `${PROJECT}/a.ts` }]);
    expect(shown(READ, { ...asked, targets: { [`${PROJECT}/a.ts`]: "/real/a.ts" } })).toEqual([
      { record: "proof", do: "read", path: "/real/a.ts" },
    ]);
    expect(shown(READ, { session: session("Read") })).toEqual([]);
  });

  it("a search does not count as a read", () => {
    const grep = using({ kind: "read", name: "Grep", path: "a.ts" }, "PostToolUse");
    expect(shown(grep, { ...asked, session: session("Grep") })).toEqual([]);
  });
});

describe("MODEL 5 P3 a review", () => {
  const looked = { looks: { a1: { at: 1, count: 2 } } };
  const stop = (type: string, lastMessage: string) =>
    ({ name: "SubagentStop", agent: { id: "a1", type }, lastMessage }) as const;

  it.each([
    ["VERDICT: PASS", true],
    ["All read.\nVERDICT: FAIL\n", false],
  ])("%j is a verdict", (message, passed) => {
    expect(shown(stop("praxis:reviewer", message), { session: session(undefined, looked) })).toEqual([
      { record: "proof", do: "review", type: "reviewer", pass: passed, looked: 2 },
    ]);
  });

  it.each([
    "",
    "PASS",
    "verdict: pass",
    "> VERDICT: PASS",
    "VERDICT: PASS?",
    "VERDICT: PASS\nVERDICT: FAIL",
    "VERDICT: OK",
  ])("%j is not a verdict", (message) => expect(verdictIn(message)).toBeUndefined());

  it.each([
    ["of one who looked at nothing", stop("critic", "VERDICT: PASS"), session(undefined)],
    ["of another type", stop("implementer", "VERDICT: PASS"), session(undefined, looked)],
    ["of the client's own helper", stop("", "VERDICT: PASS"), session(undefined, looked)],
    ["of the main agent", { name: "Stop", lastMessage: "VERDICT: PASS" }, session(undefined, looked)],
    [
      "of a reviewer that this session has written itself",
      stop("critic", "VERDICT: PASS"),
      session(undefined, looked, { written: [`${PROJECT}/.claude/agents/critic.md`] }),
    ],
  ] as const)("%s does not count", (_, when, known) => expect(shown(when, { session: known })).toEqual([]));

  it("PB-82 an agent of the project's own counts once a rule names it", () => {
    const rule = {
      name: "schema",
      when: { event: "PreToolUse", globs: ["db/**"] },
      need: { evidence: "verdict", of: "schema-keeper", freshness: "change" },
      else: "deny",
    } as const;
    const settings = { ...defaultSettings, gates: { ...defaultSettings.gates, rules: [rule] } };
    const when = stop("schema-keeper", "VERDICT: PASS");
    expect(shown(when, { session: session(undefined, looked) })).toEqual([]);
    expect(shown(when, { session: session(undefined, looked), settings })).toMatchObject([
      { type: "schema-keeper", pass: true },
    ]);
    const written = [`${PROJECT}/.claude/agents/schema-keeper.md`];
    expect(shown(when, { session: session(undefined, looked, { written }), settings })).toEqual([]);
    const other = [`${PROJECT}/.claude/agents/any-name.md`];
    expect(shown(when, { session: session(undefined, looked, { written: other }), settings })).toEqual([]);
  });

  it("reading a file or running a real command counts as inspection, echo and true do not", () => {
    const by = { agent: { id: "a1", type: "critic" }, name: "PostToolUse" } as const;
    const look = { record: "proof", do: "look", agent: "a1" };
    const file = [lookMark(`${PROJECT}/a.ts`)];
    expect(shown({ ...read("a.ts"), ...by }, { session: session("Read") })).toEqual([{ ...look, read: file }]);
    expect(shown({ ...bash("npm test"), ...by }, { session: session("Bash") })).toEqual([{ ...look, ran: true }]);
    expect(shown({ ...bash("sed -n 1,20p a.ts"), ...by }, { session: session("Bash") })).toEqual([
      { ...look, ran: true, read: file },
    ]);
    expect(shown({ ...bash("git diff HEAD"), ...by }, { session: session("Bash") })).toEqual([{ ...look, ran: true }]);
    const diffed = (command: string) =>
      shown({ ...bash(command), ...by, diffed: ["a.ts"] }, { session: session("Bash") });
    expect(diffed("git diff")).toEqual([{ ...look, ran: true, read: file }]);
    expect(diffed("git show HEAD")).toEqual([{ ...look, ran: true, read: file }]);
    expect(diffed("git diff | head -3")).toEqual([{ ...look, ran: true }]);
    expect(diffed("git log -p")).toEqual([{ ...look, ran: true }]);
    expect(shown({ ...bash("echo looked"), ...by }, { session: session("Bash") })).toEqual([]);
    expect(shown({ ...bash("true"), ...by }, { session: session("Bash") })).toEqual([]);
    expect(shown({ ...bash("npm test"), ...by, agent: { id: "a1", type: "x" } }, { session: session("Bash") })).toEqual(
      [],
    );
  });
});

describe("MODEL 5 P5 an approval", () => {
  it.each([
    ["approve release", ["release"]],
    ["Approve: v1.2", ["v1.2"]],
    ["Fine.\napprove api\nand go on", ["api"]],
    ["承認: リリース", ["リリース"]],
    ["承認：release", ["release"]],
    ["releaseを承認", ["release"]],
    ["I do not approve release", []],
    ["approve release later", []],
    ["approve", []],
    ["- approve release", []],
    ["```\napprove release\n```", []],
    ["<teammate-message>\napprove release\n</teammate-message>", []],
    [`approve release\n${"log ".repeat(600)}`, []],
  ])("%j approves %j", (prompt, names) => expect(approvedIn(prompt)).toEqual(names));

  it("counts in a person's prompt, not in a task notification", () => {
    const said = { name: "UserPromptSubmit", prompt: "approve release" } as const;
    expect(shown(said, { session: session(undefined) })).toEqual([{ record: "proof", do: "approve", name: "release" }]);
    expect(shown({ ...said, notification: { call: "c", status: "completed" } }, {})).toEqual([]);
  });

  it("any number of messages to subagents leaves the person's prompts trusted", () => {
    const message = (at: number) =>
      using({ kind: "control", name: "SendMessage", toAgent: true, prompts: `piece ${at} of the work` });
    const sent = Array.from({ length: 2 * SENT_MAX }, (_, at) => message(at)).reduce(
      (before, when) => shown(when, { session: before }).reduce((next, one) => reduceSession(next, one, 5), before),
      session(undefined),
    );
    expect(sent.proof).toMatchObject({ scheduledAt: 5 });
    expect(isPersons({ name: "UserPromptSubmit", prompt: "/cancel" } as HookEvent<"UserPromptSubmit">, sent)).toBe(
      true,
    );
    const helper = { ...message(1), agent: { id: "a-1", type: "general-purpose" } };
    expect(shown(helper, {})).toMatchObject([{ do: "scheduled", words: "piece 1 of the work" }]);
  });

  it("does not count once the agent has scheduled prompts, and the person is told", () => {
    const cron = using({ kind: "control", name: "CronCreate", prompts: "go on" });
    expect(shown(cron, {})).toEqual([{ record: "proof", do: "scheduled", words: "go on" }]);
    const verdict = verdictOf(
      trackProof,
      { name: "UserPromptSubmit", prompt: "approve release" },
      {
        session: session(undefined, { scheduledAt: 5 }),
      },
    );
    expect(verdict.changes).toEqual([]);
    expect(verdict.notices[0]?.en).toContain("not counted");
  });

  it("counts as the whole answer to a question, not as part of one", () => {
    const asked = using({ kind: "control", name: "AskUserQuestion" }, "PostToolUse");
    const open = { session: session("AskUserQuestion", { scheduledAt: 5 }) };
    expect(shown({ ...asked, answers: ["approve release"] }, open)).toEqual([
      { record: "proof", do: "approve", name: "release" },
    ]);
    expect(shown({ ...asked, answers: ["yes", "approve release\nnot", "blue, approve release"] }, open)).toEqual([]);
    expect(shown({ ...asked, answers: ["approve release"] }, { session: session(undefined) })).toEqual([]);
  });
});

function stranger() {
  return { process: { pid: 9, started: "2" }, isHost: false, insideAgent: true, heldElsewhere: true };
}
