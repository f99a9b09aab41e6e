/** The plan of the work tree, as it is now, beside what a person has approved. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { isUnknown, type PlanFound, type Unknown } from "../../kernel/facts.ts";
import { approvedIn } from "../../language/approval.ts";
import { own } from "../../lib/keyed.ts";
import { baseName } from "../../lib/paths.ts";
import { changedParts, digestOf, partsOf } from "../../playbook/identity.ts";
import type { Playbook } from "../../playbook/playbook.ts";
import { PLAYBOOK_CHARS_MAX, readPlaybook } from "../../playbook/read.ts";
import type { Approval } from "../../state/playbooks.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";

export const PLAYBOOK_DIRECTORY = ".sekisho/playbooks";
const FILES_MAX = 200;
const DRAFTS_SHOWN = 3;

export function planFound({ event, places, state }: Pick<Looking, "event" | "places" | "state">): PlanFound | Unknown {
  if (isUnknown(state)) return state;
  const root = rootOf(event.cwd, places.project);
  const { active, approvals: all = {} } = own(state.playbooks ?? {}, root) ?? {};
  const approvals = Object.fromEntries(Object.entries(all).filter(([, one]) => countsHere(one, event.session)));
  const names = playbookNames(root);
  const approval = active === undefined ? undefined : own(approvals, active);
  const isDraft = (name: string): boolean => own(approvals, pathOf(name)) === undefined;
  return {
    root,
    ...(active !== undefined && approval && { active: compared(root, active, approval) }),
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

function compared(root: string, path: string, { digest, parts }: Approval): NonNullable<PlanFound["active"]> {
  const playbook = playbookAt(root, path);
  if (!playbook) return { path, standing: "gone", changed: [] };
  const [fault] = playbook.faults;
  if (fault) return { path, standing: "broken", changed: [], fault };
  if (digestOf(playbook) === digest) return { path, standing: "approved", changed: [] };
  return { path, standing: "changed", changed: changedParts(parts, partsOf(playbook)) };
}

export function playbookAt(root: string, path: string): Playbook | undefined {
  const text = plainText(join(root, path), PLAYBOOK_CHARS_MAX * 4);
  return text === undefined ? undefined : readPlaybook(text);
}

function named(root: string, path: string): PlanFound["named"] {
  const playbook = playbookAt(root, path);
  if (!playbook || playbook.faults.length > 0) return [];
  return [{ path, digest: digestOf(playbook), parts: partsOf(playbook) }];
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
