/** Test helper: situations an agent may find itself in, what it may try there, and what a refusal tells it to do instead. */
import { decide, type Verdict } from "../kernel/decide.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Gathered } from "../kernel/facts.ts";
import { digestOf } from "../playbook/identity.ts";
import { readPlaybook } from "../playbook/read.ts";
import { type Operation, operationOf } from "../reading/operation/operation.ts";
import type { Tool } from "../reading/tool.ts";
import type { PlanVerdict } from "../state/plan-work.ts";
import type { EvidenceRule, Need } from "../state/settings/evidence-rules.ts";
import { PROFILES } from "../state/settings/profiles.ts";
import { checkSettings } from "../state/settings/setting-rules.ts";
import type { Settings } from "../state/settings/settings.ts";
import { STANCES, type Stance } from "../state/stance.ts";
import { HOME, ordinaryFacts, PROJECT } from "./describe-policy.ts";
import { bash, exampleMode, protecting, read, using, write } from "./example.ts";
import { policies } from "./index.ts";
import { grownSession } from "./playbook/example-growth.ts";
import { EXAMPLE_TEXT, examplePlan } from "./playbook/example-plan.ts";
import { worker } from "./proof/example-work.ts";

export interface Situation {
  readonly title: string;
  readonly stance: Stance;
  readonly branch: string;
  readonly settings: Settings;
  readonly facts: Gathered;
}

interface Gate {
  readonly layer?: object;
  readonly facts?: Gathered;
}

const SKILLS = ["code-quality-rules", "document-quality-rules", "writing-skills", "verification-before-completion"];

function rule(evidence: Need["evidence"], of?: string): EvidenceRule {
  const need = { evidence, ...(of !== undefined && { of }), freshness: "session" as const };
  return { name: `needs-${evidence}`, when: { event: "PreToolUse" }, need, else: "deny" };
}

/** Gates that nothing has been shown to yet. */
export const GATES: Readonly<Record<string, Gate>> = {
  "no gate": {},
  "skills and reading first": {
    layer: { rules: { code_skill: SKILLS[0], document_skill: SKILLS[1], read_before_edit: "deny" } },
    facts: { skills: SKILLS },
  },
  "evidence of every kind first": {
    layer: {
      gates: {
        rules: [
          rule("skill", "x"),
          rule("read"),
          rule("command", "test"),
          rule("verdict", "reviewer"),
          rule("approval", "it"),
        ],
      },
    },
  },
  "a plan first": { layer: { plan: { required: "all" } } },
  "a plan that was changed": {
    layer: { plan: { required: "code" } },
    facts: {
      plan: {
        root: PROJECT,
        active: { path: ".sekisho/playbooks/button.md", standing: "changed", changed: ["1"] },
        drafts: [],
        named: [],
      },
    },
  },
  "a plan at work whose step waits for another": {
    layer: { plan: { required: "all", critic: "step", review: "reviewer" } },
    facts: {
      plan: examplePlan({
        work: { at: 1, base: "", step: "2", steps: {}, verdicts: [], judged: [] },
        review: reviewed(),
      }),
    },
  },
  "a plan at work whose step is the person's": {
    layer: { plan: { required: "code" } },
    facts: { plan: examplePlan({}, EXAMPLE_TEXT.replace("Scope: src/**", "Executor: user")) },
  },
  "a plan that no reviewer has passed": {
    layer: { plan: { required: "all", review: "path" } },
    facts: { plan: examplePlan() },
  },
  "a plan that was not read": {
    layer: { plan: { read_first: "on" } },
    facts: { planFile: { path: ".sekisho/playbooks/button.md", isShown: false } },
  },
  "a change too large for no plan": {
    layer: { plan: { required: "auto" } },
    facts: {
      session: grownSession("a.ts", "b.ts", "c.ts", "d.ts", "e.ts"),
      grown: {
        ...{ root: PROJECT, commit: "", folders: [] },
        changed: ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"].map((path) => ({ path, lines: 9, all: 9 })),
      },
    },
  },
  "every file protected": { facts: protecting("HARD_BLOCK:**") },
  "nothing published, tests guarded, in mode qa": {
    layer: { publish: { share: "deny", release: "deny" }, quality: { tests: "deny" }, lint: { before_commit: "ask" } },
    facts: {
      session: { ...worker, modes: { qa: exampleMode }, lint: { due: ["eslint"] } },
      standingText: { [`${PROJECT}/a.test.ts`]: { text: "expect(1).toBe(1);\n" } },
    },
  },
};

function reviewed(): PlanVerdict {
  const plan = digestOf(readPlaybook(EXAMPLE_TEXT));
  return { at: 1, of: "reviewer", verdict: "PASS", agent: "a", plan, files: "", covered: 1, read: 1, ran: 0 };
}

const IDS = policies.map(({ id }) => id);

/** Profiles × gates × stances × branches (protected, another, unguarded). */
export function situations(): readonly Situation[] {
  return PROFILES.flatMap(({ name: profile }) =>
    Object.entries(GATES).flatMap(([gate, { layer = {}, facts = {} }]) =>
      (["on", "off"] as const).flatMap((guard) => {
        const guarded = { profile, policies: { "no-main-branch-edit": guard } };
        const { settings, problems } = checkSettings([guarded, layer], IDS);
        if (problems.length > 0) throw new Error(JSON.stringify(problems));
        const branches = guard === "on" ? ["main", "topic"] : ["main"];
        return STANCES.flatMap((stance) =>
          branches.map((branch) => ({
            title: `${profile}, ${gate}, ${stance}, on ${branch} (guard ${guard})`,
            ...{ stance, branch, settings, facts },
          })),
        );
      }),
    ),
  );
}

export interface Action {
  readonly tool: Tool;
}

const operations = new Map<string, Operation>();

/** The verdict of the whole table, with somebody there to answer a question. */
export function judge({ tool }: Action, { stance, branch, settings, facts }: Situation): Verdict {
  const key = JSON.stringify(tool);
  const operation = operations.get(key) ?? operationOf(tool, { cwd: PROJECT, home: HOME });
  operations.set(key, operation);
  const common = { name: "PreToolUse", session: "s-1", cwd: PROJECT, call: "c", input: {} };
  const event = { ...common, attended: true, tool } as unknown as HookEvent;
  const paths = operation.effects.map(({ path }) => path).filter((path) => path.startsWith("/"));
  const each = <T>(of: (path: string) => T): Readonly<Record<string, T>> =>
    Object.fromEntries([PROJECT, ...paths].map((path) => [path, of(path)]));
  const given: Gathered = {
    ...ordinaryFacts,
    settings,
    stance: { stance, isImplicit: false },
    targets: each((path) => path),
    standing: each(() => true),
    branches: each(() => ({ root: PROJECT, branch })),
    staged: { [PROJECT]: { count: 1, names: ["a.ts"], more: false } },
    linters: ["eslint"],
    ...facts,
  };
  const verdict = decide({ event, operation, facts: given }, policies);
  const fault = verdict.trace.find((entry) => entry.fault !== undefined);
  if (fault) throw new Error(`${fault.policy}: ${fault.fault}`);
  return verdict;
}

export const ASKING = using({ kind: "control", name: "AskUserQuestion", asks: true });

/** The remedies that a refusal names: commands in backticks, skills, files to read, subagents, and the person. */
export function remediesIn(fix: string): readonly Action[] {
  const commands = [...fix.matchAll(/`([^`]+)`/g)].map(([, words = ""]) => words);
  const skills = [...fix.matchAll(/skill (\S+) \(Skill tool\)/g)].map(([, skill = ""]) => skill);
  const files = [...fix.matchAll(/Read (\S+) with the Read tool/g)].map(([, path = ""]) => path);
  return [
    ...commands.filter((words) => PROGRAM.test(words)).map((words) => bash(filledIn(words))),
    ...skills.map((skill) => using({ kind: "control", name: "Skill", skill })),
    ...files.map((path) => read(path)),
    ...(/Run the check test/.test(fix) ? [bash("npm test")] : []),
    ...(/subagent/.test(fix)
      ? [using({ kind: "agent", name: "Agent", agentType: /`sekisho:(\w+)`/.exec(fix)?.[1] ?? "reviewer" })]
      : []),
    ...(/below docs\//.test(fix) ? [write(`${PROJECT}/docs/plan.md`)] : []),
    ...(/\bperson\b/.test(fix) ? [ASKING] : []),
  ];
}

const PROGRAM = /^(?:git|npm|npx|ruff|shellcheck|rm|curl|cut|set|sekisho) \S/;

function filledIn(words: string): string {
  return words
    .replaceAll("<name>", "topic")
    .replaceAll("<commit>", "HEAD")
    .replaceAll("<files>", "src/a.ts")
    .replaceAll("<url>", "https://example.com/install.sh");
}
