/** Begins the work by a plan, says which step is worked on, and what is said to be done. */
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
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
  const { store, language } = place;
  const work = workIn(own(stateNow(place).playbooks ?? {}, root), path);
  if (!work) throw new Problem(notBegun(path)[language]);
  const progress = progressOf(playbook, work);
  const found = progress.steps.find(({ step }) => step.id === id);
  if (!found) throw new Problem(noSuchStep(id, playbook.steps)[language]);
  const isPerson = agentHere() === undefined;
  const at = { record: "playbook", root, path, step: id } as const;
  if (!done) {
    const early = tooEarly(found);
    if (early) throw new Problem(early[language]);
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

function tooEarly({ step, waitsFor, ...rest }: StepStanding): Text | undefined {
  if (isDone(rest))
    return text(
      `Step ${step.id} is done already. Nothing was changed.`,
      `ステップ ${step.id} はすでに完了しています。何も変更していません。`,
    );
  const [first] = waitsFor;
  if (first === undefined) return undefined;
  const ids = waitsFor.join(", ");
  return text(
    `Step ${step.id} comes after ${ids}. A step is done when a critic passes it, or when the person says so: \`sekisho playbook step ${first} done\`.`,
    `ステップ ${step.id} は ${ids} の後です。批評役が合格とするか、利用者が \`sekisho playbook step ${first} done\` を実行すると完了になります。`,
  );
}

function notBegun(path: string): Text {
  return text(
    `${path} is not begun. \`sekisho playbook start\` begins it.`,
    `${path} はまだ開始されていません。\`sekisho playbook start\` で開始します。`,
  );
}

export function noSuchStep(id: string, steps: readonly { readonly id: string }[]): Text {
  const ids = steps.map((one) => one.id).join(", ");
  return text(`There is no step “${id}”. They are: ${ids}.`, `ステップ「${id}」はありません。あるのは ${ids} です。`);
}
