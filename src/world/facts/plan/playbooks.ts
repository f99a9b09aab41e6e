/** The plan of the work tree, as it is now, beside what a person has approved. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type PlainFile, readPlain, type Unreadable } from "../../../disk/plain-file.ts";
import { judgeIn } from "../../../evidence/reviewer.ts";
import type { HookEvent } from "../../../kernel/event.ts";
import { isUnknown, type PlanFound, type Unknown } from "../../../kernel/facts.ts";
import { approvedIn } from "../../../language/approval.ts";
import { own } from "../../../lib/keyed.ts";
import { baseName } from "../../../lib/paths.ts";
import { changedParts, digestOf, partsOf } from "../../../playbook/identity.ts";
import { lengthOf } from "../../../playbook/ladder.ts";
import { limitsOf } from "../../../playbook/limits.ts";
import type { Playbook } from "../../../playbook/playbook.ts";
import { PLAYBOOK_CHARS_MAX, readPlaybook } from "../../../playbook/read.ts";
import { saidIn } from "../../../playbook/verdict-form.ts";
import type { PlanWork } from "../../../state/plan-work.ts";
import { standingOf } from "../../../state/plan-work.ts";
import { type Approval, type PlaybookTree, workIn } from "../../../state/playbooks.ts";
import type { PlanSeen } from "../../../state/session/session.ts";
import type { StepLimits } from "../../../state/step-limits.ts";
import { headCommit } from "../../machine/head-commit.ts";
import { rootOf } from "../../machine/work-tree.ts";
import type { Looking } from "../looking.ts";
import { judgedBy } from "./judge-file.ts";

export const PLAYBOOK_DIRECTORY = ".sekisho/playbooks";
const FILES_MAX = 200;
const DRAFTS_SHOWN = 3;

export function planFound({
  event,
  places,
  state,
  host,
}: Pick<Looking, "event" | "places" | "state"> & Partial<Pick<Looking, "host">>): PlanFound | Unknown {
  if (isUnknown(state)) return state;
  const root = rootOf(event.cwd, places.project);
  const tree = own(state.playbooks ?? {}, root);
  const { active, approvals: all = {} } = tree ?? {};
  const approvals = Object.fromEntries(Object.entries(all).filter(([, one]) => countsHere(one, event.session)));
  const names = playbookNames(root);
  const seen = own(state.sessions, event.session)?.planSeen;
  const approval = active === undefined ? undefined : own(approvals, active);
  const { work, ...told } = said(tree, active);
  const isGate = event.name === "PreToolUse";
  const base = mayApprove(event) ? headCommit(root) : undefined;
  const isDraft = (name: string): boolean => own(approvals, pathOf(name)) === undefined;
  return {
    root,
    ...(base && { base }),
    ...(active !== undefined &&
      approval && {
        active: { ...compared({ root, path: active, approval, seen, work, isGate }), ...told, ...(work && { work }) },
      }),
    ...reviewedIn(event, root, names),
    ...judgedBy(event, [root, places.project, places.home], host?.traits.agentsDirectory),
    drafts: names.filter(isDraft).slice(0, DRAFTS_SHOWN),
    named: approvedPaths(event, [
      ...new Set([...names.map(pathOf), ...(active === undefined ? [] : [active])]),
    ]).flatMap((path) => named(root, path, base)),
  };
}

/** What a person said in another session may have been put into the journal by anybody. */
export function countsHere({ session }: Approval, here: string): boolean {
  return session === undefined || session === here;
}

export const pathOf = (name: string): string => `${PLAYBOOK_DIRECTORY}/${name}.md`;

/** Sorted, without their ending. */
export function playbookNames(root: string): readonly string[] {
  try {
    const files = readdirSync(join(root, PLAYBOOK_DIRECTORY)).filter((name) => name.endsWith(".md"));
    return files
      .sort()
      .slice(0, FILES_MAX)
      .map((name) => name.slice(0, -".md".length));
  } catch {
    return [];
  }
}

type Active = NonNullable<PlanFound["active"]>;

interface Comparing {
  readonly root: string;
  readonly path: string;
  readonly approval: Approval;
  readonly seen: PlanSeen | undefined;
  readonly work: PlanWork | undefined;
  /** A tool use goes by how the plan stands and by the limits of its step: its words need not be read again. */
  readonly isGate: boolean;
}

function compared({ root, path, approval, seen, work, isGate }: Comparing): Active {
  const { digest, parts, at: approvedAt, long } = approval;
  const known = { path, changed: [], approvedAt, digest, ...(long && { long }) };
  const stamp = stampOf(join(root, path));
  if (stamp === undefined) return { path, standing: "gone", changed: [] };
  const key = `${stamp.words} ${path} ${standingOf(work)}`;
  // A plan of thousands of lines takes longer to read than everything else at an event.
  if (isGate && seen?.stamp === key && seen.digest === digest)
    return { ...known, standing: "approved", ...(seen.limits && { limits: seen.limits }) };
  const plan = planAt(root, path);
  if (!plan) return { path, standing: "gone", changed: [] };
  const { playbook, isFresh } = plan;
  const [fault] = playbook.faults;
  if (fault) return { ...known, playbook, standing: "broken", fault };
  if (plan.digest !== digest)
    return { ...known, playbook, standing: "changed", changed: changedParts(parts, partsOf(playbook)) };
  if (!isGate) return { ...known, playbook, standing: "approved" };
  const limits = limitsIn(playbook, work);
  const isKept = isFresh && stamp.isSettled && JSON.stringify(limits ?? "").length <= LIMITS_CHARS_MAX;
  const now = { stamp: key, digest, ...(limits && { limits }) };
  return { ...known, standing: "approved", ...(limits && { limits }), ...(isKept && { seen: now }) };
}

/** The whole state is read at every event, so long ones are found again each time. */
const LIMITS_CHARS_MAX = 1000;

/** For a process that lives longer than one event. */
const limitsFound = new WeakMap<Playbook, { readonly standing: string; readonly limits: StepLimits | undefined }>();

function limitsIn(playbook: Playbook, work: PlanWork | undefined): StepLimits | undefined {
  const standing = standingOf(work);
  const found = limitsFound.get(playbook);
  if (found?.standing === standing) return found.limits;
  const limits = limitsOf(playbook, work);
  limitsFound.set(playbook, { standing, limits });
  return limits;
}

/** What the records say about the work by it. */
function said(tree: PlaybookTree | undefined, path: string | undefined): Pick<Active, "work" | "checked" | "review"> {
  if (path === undefined) return {};
  const { checked = {}, reviews = {} } = tree ?? {};
  const [work, run, review] = [workIn(tree, path), own(checked, path), own(reviews, path)];
  return { ...(work && { work }), ...(run && { checked: run }), ...(review && { review }) };
}

/** A reviewer names the plan that it judges. Without a name there must be only one. */
function reviewedIn(event: HookEvent, root: string, names: readonly string[]): Pick<PlanFound, "reviewed"> {
  if (event.name !== "SubagentStop" || judgeIn(event.agent?.type ?? "") !== "reviewer") return {};
  const verdict = saidIn(event.lastMessage);
  const name = verdict?.name ?? (names.length === 1 ? names[0] : undefined);
  if (verdict === undefined || name === undefined || !names.includes(name)) return {};
  const playbook = playbookAt(root, pathOf(name));
  return playbook && playbook.faults.length === 0 ? { reviewed: { path: pathOf(name), playbook } } : {};
}

interface Stamp {
  /** The ctime is in it, which no tool can set back. */
  readonly words: string;
  /** Old enough that another change would have another time. */
  readonly isSettled: boolean;
}

const SETTLED_MS = 1000;

function stampOf(path: string): Stamp | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    return { words: [dev, ino, size, mtimeMs, ctimeMs].join(" "), isSettled: Date.now() - ctimeMs > SETTLED_MS };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOTDIR" ? undefined : { words: String(code), isSettled: false };
  }
}

interface ReadPlan {
  readonly playbook: Playbook;
  readonly digest: string;
  readonly characters: number;
  /** Just read from the disk, by no earlier event of this process. */
  readonly isFresh?: true;
}

/** For a process that lives longer than one event. */
const plans = new Map<string, ReadPlan & { readonly stamp: string }>();
const PLANS_KEPT = 16;

/** By its stamp a plan that was read before is known again. */
export function planAt(root: string, path: string): ReadPlan | undefined {
  const full = join(root, path);
  const stamp = stampOf(full);
  const known = plans.get(full);
  if (known && stamp && known.stamp === stamp.words) return known;
  plans.delete(full);
  const file = readPlain(full, PLAYBOOK_CHARS_MAX * 4);
  if (!file) return undefined;
  const plan = readOf(file);
  if (stamp?.isSettled) {
    for (const oldest of [...plans.keys()].slice(0, Math.max(0, plans.size - PLANS_KEPT))) plans.delete(oldest);
    plans.set(full, { ...plan, stamp: stamp.words });
  }
  return { ...plan, isFresh: true };
}

export function playbookAt(root: string, path: string): Playbook | undefined {
  return planAt(root, path)?.playbook;
}

/** A pipe, a directory or a file without end is no plan, and not gone either. */
function readOf(file: PlainFile | Unreadable): ReadPlan {
  if ("problem" in file || file.cut) {
    const kind = "problem" in file ? "unreadable" : "too-long";
    return { playbook: { ...readPlaybook(""), faults: [{ kind, line: 1 }] }, digest: "", characters: 0 };
  }
  const text = file.bytes.toString("utf8");
  const playbook = readPlaybook(text);
  return { playbook, digest: digestOf(playbook), characters: text.length };
}

function named(root: string, path: string, base: string | undefined): PlanFound["named"] {
  const plan = planAt(root, path);
  if (!plan || plan.playbook.faults.length > 0) return [];
  const { playbook, digest, characters } = plan;
  return [{ path, digest, parts: partsOf(playbook), ...(base && { base }), ...lengthOf(characters) }];
}

/** A plan is called by its file's name, without regard to case. */
function approvedPaths(event: HookEvent, paths: readonly string[]): readonly string[] {
  const said = spokenIn(event).flatMap(approvedIn);
  return paths.filter((path) => said.includes(baseName(path).replace(/\.md$/, "").toLowerCase()));
}

/** By words, or by leaving the host's plan mode. */
function mayApprove(event: HookEvent): boolean {
  const leaves = event.name === "PostToolUse" && event.tool.kind === "control" && event.tool.leavesPlan === true;
  return leaves || spokenIn(event).length > 0;
}

function spokenIn(event: HookEvent): readonly string[] {
  if (event.name === "UserPromptSubmit") return event.notification ? [] : [event.prompt];
  return event.name === "PostToolUse" ? (event.answers ?? []) : [];
}
