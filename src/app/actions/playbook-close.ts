/** Ends the work by a plan: what is not proven or not committed is told, the file goes to the archive, nothing is active. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { own } from "../../lib/keyed.ts";
import { baseName } from "../../lib/paths.ts";
import { type Text, text } from "../../lib/text.ts";
import { digestOf } from "../../playbook/identity.ts";
import { isDone, progressOf } from "../../playbook/progress.ts";
import { isPlanPassed } from "../../policies/playbook/owed-critic.ts";
import { workIn } from "../../state/playbooks.ts";
import { PLAYBOOK_DIRECTORY } from "../../world/facts/plan/playbooks.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { stateNow } from "../queries/plan-at-work.ts";
import { planHere } from "../queries/plan-standing.ts";
import { type PlaybookFile, playbooksIn } from "../queries/playbooks.ts";
import { uncommittedAt } from "../queries/uncommitted.ts";
import { keepAction } from "./action.ts";
import { type Published, publishPlan } from "./playbook-publish.ts";

export interface Closing {
  /** Why a person closes it although not everything is proven. */
  readonly reason: string | undefined;
  readonly publish: "off" | "pr" | "merge";
}

export interface Closed {
  readonly path: string;
  /** Where the file lies now; a plan of another tool stays where it is. */
  readonly archived: string | null;
  /** Steps that nothing has proven. */
  readonly unproven: readonly string[];
  /** Files that are in no commit. */
  readonly uncommitted: readonly string[];
  readonly published: Published | null;
  /** Other plans that are here. */
  readonly next: readonly string[];
}

/** Asked before anything is changed, so that nothing is half closed. */
export async function closePlaybook(
  place: Here,
  root: string,
  file: PlaybookFile,
  { reason, publish }: Closing,
  person: Person,
): Promise<Closed> {
  if (reason?.trim() === "") throw new Problem('Say why, for example `--force "the customer withdrew the request"`.');
  const unproven = unprovenIn(place, root, file);
  if (unproven.length > 0 && reason === undefined) throw new Problem(openWords(file, unproven)[place.language]);
  const uncommitted = uncommittedAt(root).filter((path) => path !== file.path);
  // Before the archive: a pull request is about the plan as it is at work.
  const published = publish === "off" ? null : await publishPlan(place, root, file, { uncommitted, publish });
  const archived = file.path.startsWith(`${PLAYBOOK_DIRECTORY}/`) ? archive(root, file.path) : null;
  const why = reason === undefined ? "" : `, ${unproven.length} steps not proven: ${reason}`;
  const change = { record: "playbook", do: "close", root, path: file.path } as const;
  const action = { action: "playbook", detail: `close ${file.path}${why}`, changes: [change] };
  keepAction(place.store, action, Date.now(), person);
  const next = playbooksIn(root).filter((path) => path !== file.path);
  return { path: file.path, archived, unproven, uncommitted, published, next };
}

/** A step counts by a critic, by a person, or by a critic of the whole plan; where no critic is asked for, by its commands. */
function unprovenIn(place: Here, root: string, file: PlaybookFile): readonly string[] {
  const { critic } = place.settings.settings.plan;
  const tree = own(stateNow(place).playbooks ?? {}, root);
  if (own(tree?.approvals ?? {}, file.path) === undefined)
    throw new Problem(NOTHING_TO_CLOSE(file.path)[place.language]);
  const work = workIn(tree, file.path);
  if (isPlanPassed(work, digestOf(file.playbook))) return [];
  const boxes = critic === "off" ? planHere(place, root, file).steps : [];
  const isRun = (id: string): boolean => {
    const step = boxes.find((one) => one.id === id);
    return step !== undefined && step.boxes > 0 && step.proven === step.boxes;
  };
  const steps = progressOf(file.playbook, work).steps.filter(({ step }) => !step.isFinal);
  return steps.filter((one) => !isDone(one) && !isRun(one.step.id)).map(({ step }) => step.id);
}

const NOTHING_TO_CLOSE = (path: string): Text =>
  text(
    `${path} is not approved, so there is nothing to close.`,
    `${path} は承認されていないため、終了するものはありません。`,
  );

function openWords({ path }: PlaybookFile, steps: readonly string[]): Text {
  const name = path.startsWith(`${PLAYBOOK_DIRECTORY}/`) ? baseName(path).replace(/\.md$/, "") : path;
  const ids = steps.join(", ");
  return text(
    `Nothing has proven ${steps.length === 1 ? "step" : "steps"} ${ids} of ${name}. \`sekisho playbook status ${name}\` shows what is missing.\n` +
      `To close it all the same, a person says why: \`sekisho playbook close ${name} --force "reason"\`. Nothing was changed.`,
    `${name} のステップ ${ids} は証明されていません。不足は \`sekisho playbook status ${name}\` で確認できます。\n` +
      `それでも終了する場合は、利用者が理由を示してください: \`sekisho playbook close ${name} --force "理由"\`。何も変更していません。`,
  );
}

function archive(root: string, path: string): string {
  const name = baseName(path).replace(/\.md$/, "");
  const free = [name, ...Array.from({ length: 98 }, (_, at) => `${name}-${at + 2}`)]
    .map((one) => `${PLAYBOOK_DIRECTORY}/archive/${one}.md`)
    .find((one) => !existsSync(join(root, one)));
  if (free === undefined) throw new Problem(`${PLAYBOOK_DIRECTORY}/archive/ has too many plans called ${name}.`);
  try {
    mkdirSync(dirname(join(root, free)), { recursive: true });
    renameSync(join(root, path), join(root, free));
  } catch (error) {
    throw new Problem(`${path} cannot be moved to ${free}: ${(error as Error).message}. Nothing was closed.`);
  }
  return free;
}
