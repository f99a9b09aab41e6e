/** The verbs about a plan at work. */
import { startPlaybook, stepPlaybook } from "../../app/actions/playbook-work.ts";
import type { Person } from "../../app/person.ts";
import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { planAtWork } from "../../app/queries/plan-at-work.ts";
import { planHere } from "../../app/queries/plan-standing.ts";
import { playbookNamed, workRoot } from "../../app/queries/playbooks.ts";
import type { Text } from "../../lib/text.ts";
import { lintView } from "../../views/playbook.ts";
import { paint, sayCaution, sayDone, sayJson, sayWords } from "../print.ts";
import { printFindings } from "./print.ts";
import { REVIEW, STATUS, WORK } from "./words.ts";

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
      sayDone(WORK.begun(begun.path, begun.step)[place.language]);
      if (begun.branch === "main" || begun.branch === "master") sayCaution(WORK.onMain(begun.branch)[place.language]);
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
    else sayDone(WORK[stepped.is](id)[place.language]);
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
      sayWords(`${paint.bold(file.path)}  ${colour(reviewWords(review)[place.language])}`);
      printFindings(file.path, findings, place.language);
      if (review?.verdict !== "PASS" || !review.fresh) sayWords(REVIEW.ask[place.language]);
    }
    return review?.verdict === "PASS" && review.fresh ? 0 : 2;
  },
};

function reviewWords(review: { readonly verdict: string; readonly fresh: boolean } | null): Text {
  if (review === null) return REVIEW.none;
  return review.fresh ? STATUS.reviewed(review.verdict) : REVIEW.stale(review.verdict);
}
