/** Which approvals of plans count in a session, as the daemon knows them from the host's own reports. */
import type { HookEvent } from "../kernel/event.ts";
import { approvedIn } from "../language/approval.ts";
import { own } from "../lib/keyed.ts";
import { baseName } from "../lib/paths.ts";
import { isSame } from "../lib/same.ts";
import type { Change } from "../state/change.ts";
import type { PlanVerdict, PlanWork } from "../state/plan-work.ts";
import type { Approval, Checked, Playbooks, PlaybookTree } from "../state/playbooks.ts";
import { planCheckKey, verdictKey } from "./sighting-keys.ts";

export interface PlanBonds {
  readonly plans: Playbooks;
  /** Names that a person has just approved, until the record of it is in the journal. */
  readonly said: readonly string[];
}

/** Without approvals and verdicts in the journal that nobody was heard to give. */
export function boundPlans(playbooks: Playbooks, bonds: PlanBonds, keys: ReadonlySet<string>): Playbooks {
  const less = Object.entries(playbooks).flatMap(([root, tree]): [string, PlaybookTree][] => {
    const known = own(bonds.plans, root);
    const counts = (path: string, approval: Approval): boolean =>
      own(known?.approvals ?? {}, path)?.digest === approval.digest || bonds.said.includes(nameOf(path));
    const bound = boundJudges({ ...tree, ...kept(tree, "approvals", counts) }, known, keys);
    return isSame(bound, tree) ? [] : [[root, bound]];
  });
  return less.length === 0 ? playbooks : { ...playbooks, ...Object.fromEntries(less) };
}

/** Words of judges, and commands that passed, as far as the daemon knows them. */
function boundJudges(tree: PlaybookTree, known: PlaybookTree | undefined, keys: ReadonlySet<string>): PlaybookTree {
  const isHeard = (verdict: PlanVerdict, before: readonly PlanVerdict[]): boolean =>
    verdict.verdict === "FAIL" ||
    before.some(({ at, agent }) => at === verdict.at && agent === verdict.agent) ||
    keys.has(verdictKey(verdict.of, verdict.agent, verdict));
  const review = (path: string, one: PlanVerdict): boolean =>
    isHeard(
      one,
      [own(known?.reviews ?? {}, path)].flatMap((found) => found ?? []),
    );
  const checked = (path: string, { at, files }: Checked): boolean =>
    own(known?.checked ?? {}, path)?.at === at || keys.has(planCheckKey(path, files));
  const work = Object.entries(tree.work ?? {}).map(([path, one]): [string, PlanWork] => {
    const before = own(known?.work ?? {}, path);
    const unheard = one.verdicts.filter((verdict) => !isHeard(verdict, before?.verdicts ?? []));
    return [path, unheard.length === 0 ? one : withoutWords(one, before, unheard)];
  });
  return {
    ...tree,
    ...kept(tree, "reviews", review),
    ...kept(tree, "checked", checked),
    ...(tree.work && { work: Object.fromEntries(work) }),
  };
}

/** The steps of these verdicts stand as they did before, and so does what was judged. */
function withoutWords(work: PlanWork, before: PlanWork | undefined, unheard: readonly PlanVerdict[]): PlanWork {
  const steps = new Set(unheard.map(({ step }) => step));
  const left = Object.entries(work.steps).flatMap(([id, step]) => {
    const known = steps.has(id) ? own(before?.steps ?? {}, id) : step;
    return known ? [[id, known] as const] : [];
  });
  return {
    ...work,
    steps: Object.fromEntries(left),
    verdicts: work.verdicts.filter((verdict) => !unheard.includes(verdict)),
    judged: before?.judged ?? [],
  };
}

/** The entries that count; nothing where all do, so that an untouched tree stays the same. */
function kept<K extends "approvals" | "reviews" | "checked">(
  tree: PlaybookTree,
  field: K,
  counts: (path: string, value: NonNullable<PlaybookTree[K]>[string]) => boolean,
): Pick<PlaybookTree, K> | object {
  const all = Object.entries(tree[field] ?? {}) as [string, NonNullable<PlaybookTree[K]>[string]][];
  const left = all.filter(([path, value]) => counts(path, value));
  return left.length === all.length ? {} : { [field]: Object.fromEntries(left) };
}

/** `playbooks` are already within the earlier bonds. A name counts for one approval. */
export function planBondsAfter(
  event: HookEvent,
  changes: readonly Change[],
  playbooks: Playbooks,
  before: PlanBonds | undefined,
): PlanBonds {
  const said = [...(before?.said ?? []), ...spokenIn(event).flatMap(approvedIn), ...chosenIn(changes)];
  if (said.length === 0) return { plans: playbooks, said };
  const isNew = (name: string): boolean => !before || newIn(playbooks, before.plans).includes(name);
  return { plans: playbooks, said: [...new Set(said)].filter((name) => !isNew(name)) };
}

function newIn(playbooks: Playbooks, before: Playbooks): readonly string[] {
  return Object.entries(playbooks).flatMap(([root, { approvals }]) => {
    const known = own(before, root)?.approvals ?? {};
    return Object.entries(approvals).flatMap(([path, { at }]) => (own(known, path)?.at === at ? [] : [nameOf(path)]));
  });
}

/** A plan that the host showed in its plan mode, and with which the person left it. */
function chosenIn(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) =>
    change.record === "playbook" && change.do === "approve" && change.by === "plan-mode" ? [nameOf(change.path)] : [],
  );
}

function nameOf(path: string): string {
  return baseName(path).replace(/\.md$/, "").toLowerCase();
}

function spokenIn(event: HookEvent): readonly string[] {
  if (event.name === "UserPromptSubmit") return event.notification ? [] : [event.prompt];
  return event.name === "PostToolUse" ? (event.answers ?? []) : [];
}
