/** The verbs about a plan at work. */
import { startPlaybook, stepPlaybook } from "../../app/actions/playbook-work.ts";
import type { Person } from "../../app/person.ts";
import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { planAtWork } from "../../app/queries/plan-at-work.ts";
import { planHere } from "../../app/queries/plan-standing.ts";
import { playbookNamed, workRoot } from "../../app/queries/playbooks.ts";
import { lintView } from "../../views/playbook.ts";
import { paint, say, sayCaution, sayDone, sayJson, sayWords } from "../print.ts";
import { printFindings } from "./print.ts";

interface Given {
  readonly json: boolean;
}

export const WORK_VERBS = {
  start([name]: readonly string[], { json }: Given): number {
    const place = here();
    const root = workRoot(place);
    const begun = startPlaybook(place, root, playbookNamed(root, name ?? planAtWork(place, root)));
    if (json) sayJson(begun);
    else {
      sayDone(`${begun.path} is at work${begun.step === null ? "" : `, at step ${begun.step}`}.`);
      if (begun.branch === "main" || begun.branch === "master")
        sayCaution("You are on the main branch. `git switch -c NAME` makes another.");
    }
    return 0;
  },
  step([id, word, ...rest]: readonly string[], { json }: Given, person: Person): number {
    if (id === undefined || rest.length > 0 || (word !== undefined && word !== "done"))
      throw new Problem("Give a step, for example `sekisho playbook step 2` or `sekisho playbook step 2 done`.");
    const place = here();
    const root = workRoot(place);
    const file = playbookNamed(root, planAtWork(place, root));
    const stepped = stepPlaybook(place, root, file, { id, done: word === "done" }, person);
    if (json) sayJson(stepped);
    else sayDone(WORDS[stepped.is](id));
    return 0;
  },
  review([name]: readonly string[], { json }: Given): number {
    const place = here();
    const root = workRoot(place);
    const file = playbookNamed(root, name ?? planAtWork(place, root));
    const { review, standing } = planHere(place, root, file);
    const findings = lintView(file, place.language, { strict: true });
    if (json) sayJson({ path: file.path, review, standing: standing.is, findings });
    else {
      const colour = review?.verdict === "PASS" && review.fresh ? paint.green : paint.yellow;
      say(`${paint.bold(file.path)}  ${colour(reviewWords(review))}`);
      printFindings(file.path, findings);
      if (review?.verdict !== "PASS" || !review.fresh)
        sayWords(
          "Let the agent start the subagent `sekisho:reviewer` for this plan. Its verdict is recorded by itself.",
        );
    }
    return review?.verdict === "PASS" && review.fresh ? 0 : 2;
  },
};

const WORDS = {
  current: (id: string) => `Step ${id} is the one that is worked on.`,
  claimed: (id: string) =>
    `You say that step ${id} is done. A critic must say so: start the subagent \`sekisho:critic\`.`,
  passed: (id: string) => `Step ${id} is done: you say so.`,
} as const;

function reviewWords(review: { readonly verdict: string; readonly fresh: boolean } | null): string {
  if (review === null) return "not reviewed";
  return review.fresh ? `reviewer: ${review.verdict}` : `reviewer: ${review.verdict}, but the plan has changed since`;
}
