/** Test helper: runs examples and further cases of a policy through the real `decide`. */

import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../hosts/index.ts";
import { decide, type Verdict } from "../kernel/decide.ts";
import { type HookEvent, isAttempt } from "../kernel/event.ts";
import type { Facts, Gathered } from "../kernel/facts.ts";
import type { Example, Policy } from "../kernel/policy.ts";
import { operationOf } from "../reading/operation/operation.ts";
import type { Decision } from "../state/decision.ts";
import { newBox } from "../state/inbox/box.ts";
import { boundSession, EXAMPLE_PROCESS } from "../state/session/example-session.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { newTrustLedger } from "../state/trust.ts";
import { PLACE } from "./example.ts";

export const HOME = "/home/dev";
export const PROJECT = PLACE;

const { layout, traits } = hosts[HOST];
const [SHARED = "", LOCAL = ""] = layout.settings.map((name) => join(layout.directory, name));

const unarmed = { readable: true, hooks: [], disarms: [], strange: [], runs: [] };

/** The default facts: a bound session in a project with our hooks in its local settings. */
export const ordinaryFacts: Facts = {
  now: 1_000,
  settings: defaultSettings,
  writtenSettings: defaultSettings,
  settingsProblems: [],
  session: boundSession(),
  caller: { process: EXAMPLE_PROCESS, isHost: true, insideAgent: false, heldElsewhere: false },
  places: {
    project: PROJECT,
    home: HOME,
    state: join(HOME, ".local/state/sekisho"),
    journal: join(HOME, ".local/state/sekisho/home+dev+project"),
    settingsFiles: [
      join(HOME, ".config/sekisho/config.yaml"),
      join(PROJECT, ".sekisho/config.yaml"),
      join(PROJECT, ".sekisho/config.local.yaml"),
    ],
    config: [join(PROJECT, ".sekisho"), join(HOME, ".config/sekisho")],
    installed: ["/opt/sekisho/dist", "/usr/bin/node"],
    hostSettings: [join(HOME, SHARED), join(PROJECT, SHARED), join(PROJECT, LOCAL)],
    hostRecords: layout.records.map((name) => join(HOME, layout.directory, name)),
  },
  host: traits,
  castaway: false,
  insideAgent: false,
  targets: {},
  reached: {},
  discarded: {},
  pushes: {},
  standing: {},
  unkept: [],
  standingText: {},
  gatehouse: { found: "none", now: "none", detail: "" },
  leave: { grants: [] },
  hostSettings: [
    {
      path: join(PROJECT, LOCAL),
      now: { ...unarmed, hooks: ["PreToolUse"] },
      after: { ...unarmed, hooks: ["PreToolUse"] },
    },
    { path: join(PROJECT, SHARED), now: unarmed, after: unarmed },
  ],
  transcript: null,
  witness: { isNeeded: false, isThere: true, gaps: [] },
  lateTranscripts: {},
  toldResults: null,
  canary: { denied: true, detail: "no-destructive-command" },
  staged: {},
  branches: {},
  linters: [],
  protectedFiles: [],
  registration: {},
  voided: [],
  keyFile: "as-named",
  scripts: [],
  panes: {},
  skills: [],
  refused: [],
  suggestions: {},
  trust: newTrustLedger,
  stance: { stance: "building", isImplicit: false },
  classified: null,
  agents: [],
  workplace: { root: PROJECT },
  reviewedFiles: "",
  ground: {},
  shellSetup: {},
  checkRuns: [],
  checkedTrees: [],
  plans: [],
  plan: { root: PROJECT, drafts: [], named: [] },
  guards: [],
  planFile: null,
  stateFile: null,
  uncommitted: [],
  planCommit: null,
  covered: { files: [], isKnown: true },
  head: { root: PROJECT, commit: "" },
  grown: { root: PROJECT, commit: "", changed: [], folders: [] },
  identity: {},
  inbox: null,
  mate: { box: newBox, tasks: [] },
  claimed: [],
  peers: [],
  receipts: { settled: [], lost: [] },
  hostTasks: { open: 0, done: 0, shown: [], changedAt: 0 },
  orphans: [],
  modesTakenUp: {},
  leftBehind: null,
  handover: null,
  waitingModes: {},
  scheduled: [],
  wokenSoon: false,
  knownChecks: {},
  personChecks: {},
  contextFiles: [],
  contextUse: null,
};

/** The verdict of one policy on an example's event, with defaults for missing facts. */
export function verdictOf(policy: Policy, when: Example["when"], given: Gathered = {}): Verdict {
  const event = {
    session: "s-1",
    cwd: PROJECT,
    attended: true,
    ...(when.name.startsWith("P") && { input: {} }),
    ...when,
  } as unknown as HookEvent;
  const operation = isAttempt(event) ? operationOf(event.tool, { cwd: event.cwd, home: HOME }) : undefined;
  const targets = Object.fromEntries(
    (operation?.effects ?? []).filter(({ path }) => path.startsWith("/")).map(({ path }) => [path, resolve(path)]),
  );
  // An example of an opt-in policy implies that the policy is on.
  const settings = policy.optIn ? { ...defaultSettings, policies: { [policy.id]: "on" as const } } : defaultSettings;
  return decide({ event, operation, facts: { ...ordinaryFacts, targets, settings, ...given } }, [policy]);
}

type Case = (title: string, when: Example["when"], given?: Gathered) => void;

/** One test: the decision is the expected one, and the policy did not fail on the way to it. */
function checkOf(policy: Policy, expected: Decision): Case {
  return (title, when, given) =>
    it(`${expected}: ${title}`, () => {
      const verdict = verdictOf(policy, when, given);
      expect({ decision: verdict.decision, faults: verdict.trace.flatMap(({ fault }) => fault ?? []) }).toEqual({
        decision: expected,
        faults: [],
      });
    });
}

/** Runs the examples written in a policy. `index.test.ts` calls this for the whole table, so no policy is left out. */
export function describeExamples(policy: Policy): void {
  describe(`examples of ${policy.id}`, () => {
    policy.examples.forEach(({ expect: expected, when, given }, at) => {
      checkOf(policy, expected)(`${at + 1}: ${JSON.stringify(when).slice(0, 160)}`, when, given);
    });
  });
}

/** Cases beyond the examples; each is a test of its own. */
export function describePolicy(
  policy: Policy,
  cases: (check: { readonly denies: Case; readonly asks: Case; readonly passes: Case }) => void,
): void {
  describe(policy.id, () => {
    cases({
      denies: checkOf(policy, "deny"),
      asks: checkOf(policy, "ask"),
      passes: checkOf(policy, "pass"),
    });
  });
}
