import type { Facts } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { type Domain, writeDomain } from "../../kernel/operation-domain.ts";
import { definePolicy, deny, pass } from "../../kernel/policy.ts";
import { standingOf } from "../../kernel/stance.ts";
import { type Text, text } from "../../kernel/text.ts";
import { own } from "../../state/session.ts";
import type { Stance } from "../../state/stance.ts";
import { bash, edit, read, write } from "../example.ts";

/** While a plan is made nothing is built, and while work is looked over nothing is changed. The control plane is open. */
export const noToolOutsideStance = definePolicy({
  id: "no-tool-outside-stance",
  on: ["PreToolUse"],
  needs: ["settings", "stance", "targets", "places"],
  ofTheMoment: true,
  why: text(
    "The person has said which kind of work it is time for.",
    "今どの種類の作業をしてよいかは、利用者が決めている。",
  ),

  check({ event, operation, facts }) {
    const { stance } = facts.stance;
    const work = [...operation.domains, ...whereTheyLead(operation, facts)];
    const domain = work.find((each) => standingOf(stance, each, facts.settings.profile) === "denied");
    if (domain === undefined) return pass;
    const where = stance.toUpperCase();
    return deny({
      what: text(
        `[BLOCKED] ${event.tool.name} is ${domain} work (${operation.risk} risk), and the stance is ${where} (phase_policy).`,
        `[BLOCKED] ${event.tool.name} は ${domain} の作業 (リスク ${operation.risk}) で、現在の構えは ${where} です (phase_policy)。`,
      ),
      fix: FIX[stance],
    });
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

/** A link below docs/ is no way into the code. */
function whereTheyLead({ effects }: Operation, { targets, places }: Pick<Facts, "targets" | "places">): Domain[] {
  return effects.flatMap((effect) => {
    const target = effect.kind === "read" ? undefined : own(targets, effect.path);
    return target === undefined || target === effect.path ? [] : [writeDomain(target, places.project)];
  });
}

const FIX: Readonly<Record<Stance, Text>> = {
  planning: text(
    "Read, ask, and write the plan below docs/. When it is time to build, the person runs `sekisho stance building`.",
    "調査と質問、docs/ 以下への計画の記述を行ってください。実装を始めるときは利用者が `sekisho stance building` を実行します。",
  ),
  building: text(
    "Finish the work here. What leaves this machine is for the person to send, or to allow.",
    "作業は手元で仕上げてください。外へ送るのは利用者、または利用者の許可によります。",
  ),
  auditing: text(
    "Read and report; change nothing. To work on it again, the person runs `sekisho stance building`.",
    "読んで報告するだけにしてください。作業を再開するときは利用者が `sekisho stance building` を実行します。",
  ),
};
