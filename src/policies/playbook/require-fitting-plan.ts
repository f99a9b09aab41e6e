import { NAMELESS } from "../../kernel/event.ts";
import { askedOr, type GrownFound, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, read } from "../example.ts";
import { grownSession } from "./example-growth.ts";
import { isUncounted } from "./growing.ts";
import { onGrowth } from "./growth-gate.ts";

/** Where `plan.required` is `auto`, a change needs a plan once it is too large to be judged at a glance. */
export const requireFittingPlan = definePolicy({
  id: "require-fitting-plan",
  only: "growth",
  on: ["PreToolUse"],
  needs: ["settings", "session", "places", "targets", "standing", "scripts", "protectedFiles", "head", "plan", "grown"],
  needsIf: {
    head: ({ settings }) => settings.plan.required === "auto",
    plan: ({ settings }) => settings.plan.required === "auto",
    grown: isUncounted,
  },
  ofTheMoment: true,
  why: text(
    "Small work needs no ceremony, and large work that nobody has planned is hard to judge.",
    "小さな作業に手続きは要らず、計画のない大きな作業は判断しにくい。",
  ),

  applies: ({ session }, operation) => changes(operation) && session !== NAMELESS,

  check({ event, operation, facts }) {
    const { settings, head, plan, grown } = facts;
    if (settings.plan.required !== "auto" || head === NOT_ASKED) return pass;
    const { root } = head as Exclude<typeof head, typeof NOT_ASKED>;
    const found = askedOr<PlanFound>(plan, { root, drafts: [], named: [] });
    return onGrowth(event, operation, facts, {
      root,
      commit: (head as { commit: string }).commit,
      plan: found,
      ...(grown !== NOT_ASKED && { grown: grown as GrownFound }),
    });
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "auto" as const } };
    const given = { settings, session: grownSession("src/a.ts", "src/b.ts", "src/c.ts") };
    const changed = ["src/a.ts", "src/b.ts", "src/c.ts"].map((path) => ({ path, lines: 20, all: 20 }));
    const grown = { root: PLACE, commit: "", changed, folders: [] };
    const active = { path: ".sekisho/playbooks/button.md", standing: "approved", changed: [] } as const;
    const plan = { root: PLACE, active, drafts: [], named: [] };
    return [
      { expect: "pass", when: edit(`${PLACE}/src/a.ts`), given: { settings } },
      { expect: "pass", when: edit(`${PLACE}/src/a.ts`), given: { ...given, grown } },
      { expect: "deny", when: edit(`${PLACE}/src/d.ts`), given: { ...given, grown } },
      { expect: "deny", when: bash("sed -i s/a/b/ src/d.ts"), given: { ...given, grown } },
      { expect: "deny", when: edit(`${PLACE}/package.json`), given: { settings } },
      { expect: "pass", when: edit(`${PLACE}/src/d.ts`), given: { ...given, grown, plan } },
      { expect: "pass", when: edit(`${PLACE}/src/d.ts`, "// a", "// b"), given: { ...given, grown } },
      { expect: "pass", when: edit(`${PLACE}/README.md`), given: { ...given, grown } },
      { expect: "pass", when: bash("npm test"), given: { ...given, grown } },
      { expect: "pass", when: bash("sekisho playbook grow button"), given: { ...given, grown } },
      { expect: "pass", when: read(`${PLACE}/src/d.ts`), given: { ...given, grown } },
      { expect: "pass", when: edit(`${PLACE}/src/d.ts`) },
    ];
  },
});
