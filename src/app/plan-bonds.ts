/** Which approvals of plans count in a session, as the daemon knows them from the host's own reports. */
import type { HookEvent } from "../kernel/event.ts";
import { approvedIn } from "../language/approval.ts";
import { own } from "../lib/keyed.ts";
import { baseName } from "../lib/paths.ts";
import type { Approval, Playbooks, PlaybookTree } from "../state/playbooks.ts";

export interface PlanBonds {
  readonly plans: Playbooks;
  /** Names that a person has just approved, until the record of it is in the journal. */
  readonly said: readonly string[];
}

/** Without approvals in the journal that nobody was heard to give. */
export function boundPlans(playbooks: Playbooks, bonds: PlanBonds): Playbooks {
  const less = Object.entries(playbooks).flatMap(([root, tree]): [string, PlaybookTree][] => {
    const known = own(bonds.plans, root)?.approvals ?? {};
    const counts = (path: string, approval: Approval): boolean =>
      own(known, path)?.digest === approval.digest || bonds.said.includes(nameOf(path));
    const all = Object.entries(tree.approvals);
    const kept = all.filter(([path, approval]) => counts(path, approval));
    return kept.length === all.length ? [] : [[root, { ...tree, approvals: Object.fromEntries(kept) }]];
  });
  return less.length === 0 ? playbooks : { ...playbooks, ...Object.fromEntries(less) };
}

/** `playbooks` are already within the earlier bonds. A name counts for one approval. */
export function planBondsAfter(event: HookEvent, playbooks: Playbooks, before: PlanBonds | undefined): PlanBonds {
  const said = [...(before?.said ?? []), ...spokenIn(event).flatMap(approvedIn)];
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

function nameOf(path: string): string {
  return baseName(path).replace(/\.md$/, "").toLowerCase();
}

function spokenIn(event: HookEvent): readonly string[] {
  if (event.name === "UserPromptSubmit") return event.notification ? [] : [event.prompt];
  return event.name === "PostToolUse" ? (event.answers ?? []) : [];
}
