import type { Facts } from "../../kernel/facts.ts";
import { definePolicy, pass, type Ruling } from "../../kernel/policy.ts";
import { standingOf } from "../../kernel/stance.ts";
import { own } from "../../lib/keyed.ts";
import { text } from "../../lib/text.ts";
import { type Domain, writeDomain } from "../../reading/operation/domain.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import { bash, edit, read, write } from "../example.ts";
import { withScripts } from "../with-scripts.ts";
import { outsideStance } from "./stance-refusal.ts";

/** Planning allows no building, and auditing allows no changes. Control-plane tools are always open. */
export const noToolOutsideStance = definePolicy({
  id: "no-tool-outside-stance",
  on: ["PreToolUse"],
  needs: ["settings", "stance", "targets", "places", "scripts"],
  ofTheMoment: true,
  why: text(
    "The person has said which kind of work it is time for.",
    "今どの種類の作業をしてよいかは、利用者が決めている。",
  ),

  /** Reading and control tools are open in every stance. */
  applies: (_, operation) => changes(operation),

  check({ event, operation, facts }) {
    const judge = (one: Operation, targets: Facts["targets"]): Ruling => {
      const { stance } = facts.stance;
      const work = [...one.parts.map(({ domain }) => domain), ...whereTheyLead(one, targets, facts.places)];
      const domain = work.find((each) => standingOf(stance, each, facts.settings.profile) === "denied");
      return domain === undefined ? pass : outsideStance(event.tool.name, domain, one.risk, stance);
    };
    const itself = judge(operation, facts.targets);
    // A patch file below docs/ still changes code when git applies it.
    return facts.scripts.length === 0
      ? itself
      : withScripts(itself, facts.scripts, (script) => judge(script.operation, script.targets));
  },

  examples: [
    { expect: "pass", when: edit("src/app.ts") },
    { expect: "pass", when: bash("git fetch origin") },
    { expect: "deny", when: edit("src/app.ts"), given: { stance: { stance: "planning", isImplicit: false } } },
    { expect: "pass", when: write("docs/plan.md"), given: { stance: { stance: "planning", isImplicit: false } } },
    { expect: "deny", when: bash("npm test"), given: { stance: { stance: "auditing", isImplicit: false } } },
    { expect: "pass", when: bash("sekisho save"), given: { stance: { stance: "auditing", isImplicit: false } } },
    { expect: "pass", when: read("src/app.ts"), given: { stance: { stance: "auditing", isImplicit: false } } },
  ],
});

/** A link below docs/ must not lead to code. */
function whereTheyLead({ effects }: Operation, targets: Facts["targets"], places: Facts["places"]): Domain[] {
  return effects.flatMap((effect) => {
    const target = effect.kind === "read" ? undefined : own(targets, effect.path);
    return target === undefined || target === effect.path ? [] : [writeDomain(target, places.project)];
  });
}
