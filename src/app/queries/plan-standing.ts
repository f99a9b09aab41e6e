/** How a plan stands: whether it is approved as it is, and which of its boxes our records prove. */
import { existsSync } from "node:fs";
import { own } from "../../lib/keyed.ts";
import { boxPart, changedParts, digestOf, partsOf } from "../../playbook/identity.ts";
import type { Subtask } from "../../playbook/playbook.ts";
import { workIn } from "../../state/playbooks.ts";
import { type PlanStanding, type PlaybookView, playbookView } from "../../views/playbook.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { planAtWork, stateNow } from "./plan-at-work.ts";
import { type PlaybookFile, playbookNamed, playbooksIn } from "./playbooks.ts";
import { digestNow } from "./work.ts";

export function planHere(place: Here, root: string, file: PlaybookFile): PlaybookView {
  const tree = own(stateNow(place).playbooks ?? {}, root);
  const { active, approvals = {}, checked = {}, reviews = {} } = tree ?? {};
  const work = workIn(tree, file.path);
  const run = own(checked, file.path);
  const passed = new Set(run && isCurrent(place, root, run.files) ? run.passed : []);
  const isProven = (box: Subtask): boolean => passed.has(boxPart(box));
  const approval = own(approvals, file.path);
  const standing: PlanStanding = !approval
    ? { is: "draft" }
    : digestOf(file.playbook) === approval.digest
      ? { is: active !== file.path ? "set aside" : work ? "at work" : "approved" }
      : { is: "changed", changed: changedParts(approval.parts, partsOf(file.playbook)) };
  return playbookView(file, standing, isProven, {
    work,
    review: own(reviews, file.path),
    language: place.language,
  });
}

/** All plans of the work tree and the one that is worked on, wherever it lies. A file that is no plan hides no other. */
export function plansHere(
  place: Here,
  root: string,
): { readonly views: readonly PlaybookView[]; readonly problems: readonly string[] } {
  const active = planAtWork(place, root);
  const ours = playbooksIn(root).map((path) => `${root}/${path}`);
  const paths = [...new Set([...ours, ...(active !== undefined && existsSync(active) ? [active] : [])])];
  const views: PlaybookView[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      views.push(planHere(place, root, playbookNamed(root, path)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error.message);
    }
  }
  return { views, problems };
}

/** What was proven counts for the files as they were. */
function isCurrent(place: Here, root: string, files: string): boolean {
  const digest = digestNow(place, root);
  return files !== "" && "files" in digest && digest.files === files;
}
