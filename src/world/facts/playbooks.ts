/** The plan of the work tree, as it is now, beside what a person has approved. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { judgeIn } from "../../evidence/reviewer.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { isUnknown, type PlanFound, type Unknown } from "../../kernel/facts.ts";
import { approvedIn } from "../../language/approval.ts";
import { own } from "../../lib/keyed.ts";
import { baseName } from "../../lib/paths.ts";
import { changedParts, digestOf, partsOf } from "../../playbook/identity.ts";
import type { Playbook } from "../../playbook/playbook.ts";
import { PLAYBOOK_CHARS_MAX, readPlaybook } from "../../playbook/read.ts";
import { saidIn } from "../../playbook/verdict-form.ts";
import type { Approval, PlaybookTree } from "../../state/playbooks.ts";
import { headCommit } from "../machine/head-commit.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";

export const PLAYBOOK_DIRECTORY = ".sekisho/playbooks";
const FILES_MAX = 200;
const DRAFTS_SHOWN = 3;

export function planFound({ event, places, state }: Pick<Looking, "event" | "places" | "state">): PlanFound | Unknown {
  if (isUnknown(state)) return state;
  const root = rootOf(event.cwd, places.project);
  const tree = own(state.playbooks ?? {}, root);
  const { active, approvals: all = {} } = tree ?? {};
  const approvals = Object.fromEntries(Object.entries(all).filter(([, one]) => countsHere(one, event.session)));
  const names = playbookNames(root);
  const approval = active === undefined ? undefined : own(approvals, active);
  const isDraft = (name: string): boolean => own(approvals, pathOf(name)) === undefined;
  return {
    root,
    ...(active !== undefined && approval && { active: { ...compared(root, active, approval), ...said(tree, active) } }),
    ...reviewedIn(event, root, names),
    drafts: names.filter(isDraft).slice(0, DRAFTS_SHOWN),
    named: approvedPaths(event, [
      ...new Set([...names.map(pathOf), ...(active === undefined ? [] : [active])]),
    ]).flatMap((path) => named(root, path)),
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

function compared(root: string, path: string, { at, digest, parts }: Approval): Active {
  const playbook = playbookAt(root, path);
  if (!playbook) return { path, standing: "gone", changed: [] };
  const [fault] = playbook.faults;
  const known = { path, playbook, approvedAt: at };
  if (fault) return { ...known, standing: "broken", changed: [], fault };
  if (digestOf(playbook) === digest) return { ...known, standing: "approved", changed: [] };
  return { ...known, standing: "changed", changed: changedParts(parts, partsOf(playbook)) };
}

/** What the records say about the work by it. */
function said(tree: PlaybookTree | undefined, path: string): Pick<Active, "work" | "checked" | "review"> {
  const { work = {}, checked = {}, reviews = {} } = tree ?? {};
  const [one, run, review] = [own(work, path), own(checked, path), own(reviews, path)];
  return { ...(one && !one.over && { work: one }), ...(run && { checked: run }), ...(review && { review }) };
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

export function playbookAt(root: string, path: string): Playbook | undefined {
  const text = plainText(join(root, path), PLAYBOOK_CHARS_MAX * 4);
  return text === undefined ? undefined : readPlaybook(text);
}

function named(root: string, path: string): PlanFound["named"] {
  const playbook = playbookAt(root, path);
  if (!playbook || playbook.faults.length > 0) return [];
  const base = headCommit(root);
  return [{ path, digest: digestOf(playbook), parts: partsOf(playbook), ...(base !== undefined && { base }) }];
}

/** A plan is called by its file's name, without regard to case. */
function approvedPaths(event: HookEvent, paths: readonly string[]): readonly string[] {
  const said = spokenIn(event).flatMap(approvedIn);
  return paths.filter((path) => said.includes(baseName(path).replace(/\.md$/, "").toLowerCase()));
}

function spokenIn(event: HookEvent): readonly string[] {
  if (event.name === "UserPromptSubmit") return event.notification ? [] : [event.prompt];
  return event.name === "PostToolUse" ? (event.answers ?? []) : [];
}
