/** TS-71 at the end of a turn: whatever is owed and whatever mode is on, the turn can end. */
import { describe, expect, it } from "vitest";
import { decide, type Verdict } from "../kernel/decide.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Gathered } from "../kernel/facts.ts";
import { MODES, type ModeName } from "../state/session/modes.ts";
import { reduceSession, type Session } from "../state/session/session.ts";
import type { EvidenceRule } from "../state/settings/evidence-rules.ts";
import { PROFILES } from "../state/settings/profiles.ts";
import { checkSettings } from "../state/settings/setting-rules.ts";
import type { Settings } from "../state/settings/settings.ts";
import { ordinaryFacts, PROJECT } from "./describe-policy.ts";
import { exampleMode } from "./example.ts";
import { policies } from "./index.ts";
import { EXAMPLE_TEXT, examplePlan } from "./playbook/example-plan.ts";
import { changedTree, having, resultOf, worker } from "./proof/example-work.ts";

const marker: EvidenceRule = {
  name: "signed",
  when: { event: "Stop" },
  need: { evidence: "marker", of: "SIGNED", freshness: "session" },
  else: "block",
  bound: 5,
};

const IDS = policies.map(({ id }) => id);
const plan = { path: ".tmp/plans/a.md", modified: 1e12, told: false, own: true, done: 1, total: 2, open: ["b"] };

/** Situations at the end of a turn, by what the agent still owes. */
const OWED: Readonly<Record<string, { readonly session: Session; readonly facts: Gathered }>> = {
  nothing: { session: { ...worker, work: {} }, facts: {} },
  "a check that has not run": { session: worker, facts: { checkedTrees: [changedTree] } },
  "a check that failed": { session: having(resultOf("failed")), facts: { checkedTrees: [changedTree] } },
  "a skill that stands in": {
    session: { ...worker, defined: {} },
    facts: { checkedTrees: [{ ...changedTree, checks: [] }], skills: ["verification-before-completion"] },
  },
  "an open plan": { session: worker, facts: { plans: [plan] } },
  "a step that no critic has passed": {
    session: worker,
    facts: { plan: examplePlan({}, EXAMPLE_TEXT.replaceAll("[ ]", "[x]")) },
  },
  "what the daemon held back": { session: worker, facts: { gatehouse: { found: "down", now: "up", detail: "" } } },
};

const SUBSETS: readonly (readonly ModeName[])[] = Array.from({ length: 2 ** MODES.length }, (_, bits) =>
  MODES.filter((_mode, at) => bits & (1 << at)),
);

interface Ending {
  readonly title: string;
  readonly session: Session;
  readonly settings: Settings;
  readonly facts: Gathered;
}

const ALL: readonly Ending[] = PROFILES.flatMap(({ name: profile }) =>
  [[], [marker]].flatMap((rules) => {
    const { settings } = checkSettings(
      [{ profile, gates: { rules }, plan: { required: "code", critic: "step" } }],
      IDS,
    );
    return Object.entries(OWED).flatMap(([owed, { session, facts }]) =>
      SUBSETS.map((modes) => ({
        title: `${profile}, ${rules.length} rules, ${owed}, modes: ${modes.join(" ") || "none"}`,
        session: { ...session, modes: Object.fromEntries(modes.map((mode) => [mode, exampleMode])) },
        ...{ settings, facts },
      })),
    );
  }),
);

function stop({ settings, facts }: Ending, session: Session): Verdict {
  const common = { name: "Stop", session: "s-1", cwd: PROJECT, attended: true, continued: false, mustYield: false };
  const event = { ...common, lastMessage: "Done.", backgroundTasks: 0 } as unknown as HookEvent;
  const verdict = decide(
    { event, operation: undefined, facts: { ...ordinaryFacts, ...facts, settings, session } },
    policies,
  );
  const fault = verdict.trace.find((entry) => entry.fault !== undefined);
  if (fault) throw new Error(`${fault.policy}: ${fault.fault}`);
  return verdict;
}

/** How often the end is refused to an agent that only tries again. */
function refusals(one: Ending): number {
  let session = one.session;
  for (let count = 0; count < 100; count++) {
    const { decision, changes } = stop(one, session);
    if (decision === "pass") return count;
    session = changes.reduce((next, change) => reduceSession(next, change, 1_000 + count), session);
  }
  return 100;
}

describe("TS-71 in every profile, with every rule, debt and mode", () => {
  it("TS-71 is over all of them", () => expect(ALL.length).toBe(6 * 2 * 7 * 8));

  it("TS-71 a turn that is tried again and again ends, though something is owed", () => {
    const counts = ALL.map((one) => ({ title: one.title, count: refusals(one), most: one.settings.stop.idle }));
    expect(counts.filter(({ count, most }) => count > most)).toEqual([]);
    expect(counts.filter(({ count }) => count > 0).length).toBeGreaterThan(ALL.length / 2);
  });

  it("TS-71 a turn that ends with a question to the person ends at once", () => {
    const asks = { tool: "AskUserQuestion", at: 900, background: false, asks: true } as const;
    const held = ALL.filter((one) => stop(one, { ...one.session, calls: { q: asks } }).decision !== "pass");
    expect(held.map(({ title }) => title)).toEqual([]);
  });
});
