import { describe, expect, it } from "vitest";
import type { PlanFound } from "../../kernel/facts.ts";
import type { Growth } from "../../state/session/growth.ts";
import { growthOf } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, protecting, using, write } from "../example.ts";
import { grownSession } from "./example-growth.ts";
import { requireFittingPlan } from "./require-fitting-plan.ts";

const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "auto" as const } };
const paths = (count: number) => Array.from({ length: count }, (_, at) => `src/${at}.ts`);
const plan = (active?: Partial<NonNullable<PlanFound["active"]>>, drafts: readonly string[] = []): PlanFound => ({
  ...{ root: PLACE, drafts, named: [] },
  ...(active && { active: { path: ".sekisho/playbooks/it.md", standing: "approved", changed: [], ...active } }),
});

/** So many files of ten lines were changed since the request. */
const grown = (count: number, found = plan(), growth: Partial<Growth> = {}, folders: readonly string[] = []) => {
  const session = grownSession(...paths(count));
  const changed = paths(count).map((path) => ({ path, lines: 10, all: 10 }));
  return {
    settings,
    plan: found,
    session: { ...session, growth: { ...growthOf(session), ...growth } },
    grown: { root: PLACE, commit: "", folders, changed },
  };
};
const next = edit(`${PLACE}/src/next.ts`);

describePolicy(requireFittingPlan, ({ denies, passes }) => {
  passes("the third file", next, grown(2));
  denies("the fourth file", next, grown(3));
  passes("a file that is counted already", edit(`${PLACE}/src/0.ts`), grown(3));
  passes("with the person's leave", next, grown(3, plan(), { waivedAt: 100 }));
  denies("with leave for an earlier request", next, grown(3, plan(), { waivedAt: 99 }));
  passes("a directory is no file", bash("npx prettier --write lib"), grown(3, plan(), {}, [`${PLACE}/lib`]));
  passes("mkdir", bash("mkdir -p lib/x"), grown(3));
  denies("one of a group", bash("sed -i s/a/b/ src/0.ts src/next.ts"), grown(3));
  denies("a protected document", edit(`${PLACE}/RUNBOOK.md`), { ...grown(0), ...protecting("WARN:RUNBOOK.md") });
  denies("a workflow, by a redirection", bash("echo x > .github/workflows/ci.yml"), grown(0));
  passes("its own drafts", write(`${PLACE}/.sekisho/playbooks/it.md`, "# It\n"), grown(5));

  passes("a short plan up to ten files", next, grown(9, plan({})));
  denies("the eleventh file with a short plan", next, grown(10, plan({})));
  passes("a long plan", next, grown(10, plan({ long: true })));
  const told = { told: { tier: "L", at: 300 } };
  denies("an approval from before the refusal", next, grown(10, plan({ approvedAt: 299 }), told));
  passes("an approval since the refusal", next, grown(20, plan({ approvedAt: 301 }), told));
  denies("a plan that was changed", next, grown(5, plan({ standing: "changed", changed: ["1"] })));

  denies("where a program made it too large, editing the same files", edit(`${PLACE}/src/0.ts`), grown(5));
  denies("another program", bash("python3 more.py"), grown(5));
  passes("tests", bash("npm test"), grown(5));
  passes("a commit", bash("git commit -am x"), grown(5));
  passes("taking it back", bash("git checkout -- ."), grown(5));
  passes("deleting what was made", bash("rm src/0.ts"), { ...grown(5), standing: { [`${PLACE}/src/0.ts`]: true } });
  passes("the way to a plan", bash("sekisho playbook grow it && sekisho playbook lint it"), grown(5));
  passes("a document", edit(`${PLACE}/docs/a.md`), grown(5));
  passes("a question", using({ kind: "control", name: "AskUserQuestion", asks: true }), grown(5));
});

describe("the refusal", () => {
  const wordsOf = (given: object): string => {
    const { what, fix } = verdictOf(requireFittingPlan, next, given).objections[0] ?? {};
    return `${what?.en} ${fix?.en}`;
  };

  it("names the numbers and the next step", () => {
    expect(wordsOf(grown(3))).toMatch(
      /^4 files, 32 lines since the request\. Up to 3 files need no plan\. `sekisho playbook grow/,
    );
    expect(wordsOf(grown(3, plan(undefined, ["it"])))).toMatch(
      /`sekisho playbook lint it`.*`approve it`.*`skip the plan`/,
    );
    expect(wordsOf(grown(10, plan({})))).toMatch(/The short plan .*it\.md covers up to 10 files\..*`approve it`/);
    const broken = { standing: "broken", fault: { kind: "conflict", line: 7 } } as const;
    expect(wordsOf(grown(3, plan(broken)))).toMatch(/it\.md:7 \(conflict\).*`sekisho playbook lint it` says how/);
  });

  it("remembers the size, once, and what git showed", () => {
    const { changes } = verdictOf(requireFittingPlan, next, grown(3));
    expect(changes).toContainEqual(
      expect.objectContaining({ record: "growth", do: "refuse", tier: "M", measured: true }),
    );
  });
});
