/** The approved plans of a project, by work tree. A plan's own text lies in its file; here is only what people said. */
import { bounded, own } from "../lib/keyed.ts";
import {
  over,
  type PlanVerdict,
  type PlanWork,
  type PlanWorkChange,
  type PlanWorks,
  reducePlanWork,
  verdictFrom,
} from "./plan-work.ts";

export interface Approval {
  readonly at: number;
  /** How the person said it. */
  readonly by: ApprovedBy;
  /** The session in which it was said, and counts. Absent for a person's command, which counts everywhere. */
  readonly session?: string;
  /** Of the whole plan, without marks. */
  readonly digest: string;
  /** `id:digest` of the head and of each step, cut: tells what has changed since, and nothing else. */
  readonly parts: readonly string[];
  /** The commit at that time: what a critic must see begins there. */
  readonly base?: string;
  /** It is more than a short plan, and covers a change of any size. */
  readonly long?: true;
}

/** How the commands of a plan ended when a person let Sekisho run them. */
export interface Checked {
  readonly at: number;
  /** Digest of the files at that time, without documents; empty if it could not be had. */
  readonly files: string;
  /** `id:digest` of the boxes whose commands all had the expected result. */
  readonly passed: readonly string[];
}

export type ApprovedBy = "command" | "prompt" | "question" | "plan-mode";

export interface PlaybookTree {
  /** The plan that is worked on: its path below the work tree. */
  readonly active?: string;
  readonly approvals: Readonly<Record<string, Approval>>;
  /** By plan: the last run of its commands. */
  readonly checked?: Readonly<Record<string, Checked>>;
  /** By plan: the work by it, and what was said of that. */
  readonly work?: PlanWorks;
  /** By plan: the reviewer's last verdict, which comes before the work. */
  readonly reviews?: Readonly<Record<string, PlanVerdict>>;
  readonly lastClosed?: { readonly path: string; readonly at: number };
}

export type Playbooks = Readonly<Record<string, PlaybookTree>>;

export type PlaybookChange =
  | ({ readonly record: "playbook"; readonly do: "approve"; readonly root: string; readonly path: string } & Omit<
      Approval,
      "at" | "session"
    >)
  | ({ readonly record: "playbook"; readonly do: "check"; readonly root: string; readonly path: string } & Omit<
      Checked,
      "at"
    >)
  /** The plan counts no longer. */
  | { readonly record: "playbook"; readonly do: "close"; readonly root: string; readonly path: string }
  | PlanWorkChange;

/** Changes that grant nothing: they begin work, say what is worked on, or end it. */
export function isFreeOfPlans(change: PlaybookChange): boolean {
  return change.do === "begin" || change.do === "step" || change.do === "claim" || isEnd(change);
}

const isEnd = ({ do: what }: PlaybookChange): boolean => what === "close" || what === "cancel";

const TREES_MAX = 8;
const APPROVALS_MAX = 8;

/** A change of a newer version changes nothing. */
export function reducePlaybooks(
  playbooks: Playbooks,
  change: PlaybookChange,
  now: number,
  session?: string,
): Playbooks {
  const tree = own(playbooks, change.root) ?? { approvals: {} };
  const next = inTree(tree, change, now, session);
  return next ? bounded(playbooks, change.root, next, TREES_MAX, lastOf) : playbooks;
}

function inTree(
  tree: PlaybookTree,
  change: PlaybookChange,
  now: number,
  session: string | undefined,
): PlaybookTree | undefined {
  switch (change.do) {
    case "approve": {
      const { path, by, digest, parts, base, long } = change;
      const approval = {
        ...{ at: now, by, digest, parts },
        ...(base !== undefined && { base }),
        ...(long && { long }),
        ...(session !== undefined && { session }),
      };
      const approvals = bounded(tree.approvals, path, approval, APPROVALS_MAX, ({ at }) => at);
      return { ...tree, active: path, approvals };
    }
    case "check": {
      const { path, files, passed } = change;
      return {
        ...tree,
        checked: bounded(tree.checked ?? {}, path, { at: now, files, passed }, APPROVALS_MAX, ({ at }) => at),
      };
    }
    case "close": {
      const { path } = change;
      const work = own(tree.work ?? {}, path);
      const ended = work && { work: { ...tree.work, [path]: over(work, "closed", now) } };
      return { ...withoutPlan({ ...tree, ...ended }, path), lastClosed: { path, at: now } };
    }
    case "cancel":
      return withoutPlan(worked(tree, change, now, session), change.path);
    case "verdict": {
      if (change.of !== "reviewer") return worked(tree, change, now, session);
      const review = verdictFrom(change, now, session);
      return { ...tree, reviews: bounded(tree.reviews ?? {}, change.path, review, APPROVALS_MAX, ({ at }) => at) };
    }
    case "begin":
    case "step":
    case "claim":
      return worked(tree, change, now, session);
    default:
      return undefined;
  }
}

function worked(tree: PlaybookTree, change: PlanWorkChange, now: number, session: string | undefined): PlaybookTree {
  const work = reducePlanWork(tree.work ?? {}, change, now, session);
  return work === tree.work ? tree : { ...tree, work };
}

/** The work that is under way. A plan that lies at the path of an ended one is a new plan. */
export function workIn(tree: PlaybookTree | undefined, path: string): PlanWork | undefined {
  const work = own(tree?.work ?? {}, path);
  return work?.over ? undefined : work;
}

/** Its approval, review and check end with it, and it is worked on no longer. */
function withoutPlan({ active, approvals, ...tree }: PlaybookTree, path: string): PlaybookTree {
  const without = <T>(all: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name !== path));
  const kept = without(approvals);
  const rest = {
    ...tree,
    ...(tree.reviews && { reviews: without(tree.reviews) }),
    ...(tree.checked && { checked: without(tree.checked) }),
  };
  return active === undefined || active === path ? { ...rest, approvals: kept } : { ...rest, active, approvals: kept };
}

function lastOf({ approvals, work = {}, lastClosed }: PlaybookTree): number {
  return Math.max(lastClosed?.at ?? 0, ...[...Object.values(approvals), ...Object.values(work)].map(({ at }) => at));
}
