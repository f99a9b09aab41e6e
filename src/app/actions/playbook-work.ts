/** Begins the work by a plan, says which step is worked on, and what is said to be done. */
import { own } from "../../lib/keyed.ts";
import { text } from "../../lib/text.ts";
import { digestsOf } from "../../playbook/identity.ts";
import { isDone, nextAfter, progressOf, type StepStanding } from "../../playbook/progress.ts";
import { type PlaybookChange, workIn } from "../../state/playbooks.ts";
import { checkedOutAt } from "../../world/facts/branches.ts";
import { headCommit } from "../../world/machine/head-commit.ts";
import { agentHere } from "../admission.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { stateNow } from "../queries/plan-at-work.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";
import { sessionAbove } from "../queries/sessions.ts";
import { keepAction, UNSIGNED } from "./action.ts";
import { missingFor } from "./golden-path.ts";

export interface Begun {
  readonly path: string;
  readonly branch: string | null;
  readonly base: string;
  readonly step: string | null;
}

/** Anybody may begin a plan that a person has approved. An agent must also have gone the way that the settings name. */
export function startPlaybook(place: Here, root: string, file: PlaybookFile): Begun {
  const { store, settings } = place;
  const state = stateNow(place);
  const tree = own(state.playbooks ?? {}, root);
  const isAgent = agentHere() !== undefined;
  const running = isAgent ? sessionAbove(state, process.pid, Date.now()) : undefined;
  const problem = missingFor(file, tree, settings.settings.plan.review, { isAgent, running });
  if (problem !== undefined) {
    const end = text("Nothing was begun.", "作業は開始していません。");
    throw new Problem(`${problem[place.language]}\n${end[place.language]}`);
  }
  const branch = checkedOutAt(root)?.branch;
  const base = headCommit(root);
  const { current } = progressOf(file.playbook, workIn(tree, file.path));
  const step = current?.step.id;
  const change: PlaybookChange = {
    ...{ record: "playbook", do: "begin", root, path: file.path, base },
    ...(branch !== undefined && { branch }),
    ...(step !== undefined && { step }),
  };
  keepAction(store, { action: "playbook", detail: `start ${file.path}`, changes: [change] }, Date.now(), UNSIGNED);
  return { path: file.path, branch: branch ?? null, base, step: step ?? null };
}

export interface Stepped {
  readonly path: string;
  readonly step: string;
  /** `claimed`: an agent says so, and a critic must. `passed`: a person says so. */
  readonly is: "current" | "claimed" | "passed";
}

/** Which step is worked on, or that one is done: a claim of the agent's, or a person's own word. */
export function stepPlaybook(
  place: Here,
  root: string,
  { path, playbook }: PlaybookFile,
  { id, done }: { readonly id: string; readonly done: boolean },
  person: Person,
): Stepped {
  const { store } = place;
  const work = workIn(own(stateNow(place).playbooks ?? {}, root), path);
  if (!work) throw new Problem(`${path} is not begun. \`sekisho playbook start\` begins it.`);
  const progress = progressOf(playbook, work);
  const found = progress.steps.find(({ step }) => step.id === id);
  if (!found)
    throw new Problem(`There is no step “${id}”. They are: ${playbook.steps.map((one) => one.id).join(", ")}.`);
  const isPerson = agentHere() === undefined;
  const at = { record: "playbook", root, path, step: id } as const;
  if (!done) {
    refuseEarly(found);
    keepAction(
      store,
      { action: "playbook", detail: `step ${id}`, changes: [{ ...at, do: "step" }] },
      Date.now(),
      UNSIGNED,
    );
    return { path, step: id, is: "current" };
  }
  if (!isPerson) {
    keepAction(
      store,
      { action: "playbook", detail: `claim ${id}`, changes: [{ ...at, do: "claim" }] },
      Date.now(),
      UNSIGNED,
    );
    return { path, step: id, is: "claimed" };
  }
  const next = nextAfter(progress, id);
  const change: PlaybookChange = {
    ...{ ...at, do: "verdict", of: "person", verdict: "PASS", agent: "" },
    plan: digestsOf(playbook).steps[id] ?? "",
    ...{ files: "", covered: 0, read: 0, ran: 0 },
    ...(next !== undefined && { next }),
  };
  keepAction(store, { action: "playbook", detail: `step ${id} done`, changes: [change] }, Date.now(), person);
  return { path, step: id, is: "passed" };
}

function refuseEarly({ step, waitsFor, ...rest }: StepStanding): void {
  if (isDone(rest)) throw new Problem(`Step ${step.id} is done already. Nothing was changed.`);
  if (waitsFor.length > 0)
    throw new Problem(`Step ${step.id} depends on ${waitsFor.join(", ")}, and no critic has passed that yet.`);
}
