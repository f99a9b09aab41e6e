import { NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, write } from "../example.ts";
import { EXAMPLE_PATH, EXAMPLE_TEXT, examplePlan } from "./example-plan.ts";
import { onPlanWrite } from "./plan-write.ts";

/** In the plan that is worked on, what is approved stays, and what is marked done is proven. Any tool, old against new. */
export const noPlanChange = definePolicy({
  id: "no-plan-change",
  only: "plans",
  on: ["PreToolUse"],
  needs: ["settings", "places", "targets", "standingText", "scripts", "plan"],
  needsIf: { plan: ({ settings }) => settings.plan.required !== "off" },
  ofTheMoment: true,
  why: text(
    "A plan that may say anything about itself says nothing.",
    "自分について何とでも書ける計画は、何も語らない。",
  ),
  applies: ({ tool }, operation) =>
    tool.kind === "write" || tool.kind === "edit" || (operation.shell !== undefined && changes(operation)),

  check({ event, operation, facts }) {
    const { plan, settings } = facts;
    if (plan === NOT_ASKED || settings.plan.required === "off") return pass;
    const { active } = plan as PlanFound;
    return active?.playbook ? onPlanWrite(event, operation, facts, plan as PlanFound) : pass;
  },

  get examples(): readonly Example[] {
    const file = `${PLACE}/${EXAMPLE_PATH}`;
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "code" as const } };
    const given = { settings, plan: examplePlan(), standingText: { [file]: { text: EXAMPLE_TEXT } } };
    const ticked = EXAMPLE_TEXT.replace("[ ] 1.1", "[x] 1.1");
    return [
      { expect: "deny", when: edit(file, "[ ] 1.1", "[x] 1.1"), given },
      { expect: "deny", when: write(file, ticked), given },
      { expect: "deny", when: bash(`sed -i 's/\\[ \\] 1.1/[x] 1.1/' ${EXAMPLE_PATH}`), given },
      { expect: "deny", when: edit(file, "## 2 Page\n", "## 2 Page\n\nStatus: done\n"), given },
      { expect: "ask", when: edit(file, "The page has a button", "Something is there"), given },
      { expect: "ask", when: edit(file, "npm test", "true"), given },
      { expect: "pass", when: edit(file, "- [ ] 1.1", "- [-] 1.1"), given },
      { expect: "pass", when: edit(`${PLACE}/.sekisho/playbooks/other.md`, "[ ] 1.1", "[x] 1.1"), given },
      { expect: "pass", when: edit(file, "[ ] 1.1", "[x] 1.1"), given: { ...given, settings: defaultSettings } },
    ];
  },
});
