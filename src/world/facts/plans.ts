/** Finds the plans of a project: Markdown files with checkboxes in the usual places. */
import { lstatSync, readdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { plainFile } from "../../disk/plain-file.ts";
import type { Plan } from "../../kernel/facts.ts";
import { PLAN_BYTES_MAX, writtenBytes } from "../../kernel/mode-start.ts";
import { inline } from "../../lib/text.ts";
import { boxesIn } from "../../reading/documents/plan-boxes.ts";
import type { Mode } from "../../state/session/modes.ts";

const BYTES_MAX = 256 * 1024;
const FILES_MAX = 20;
const NAMES_MAX = 500;
const NAMED_MAX = 5;

export const PLAN_DIRECTORY = ".tmp/plans";
/** Usual names of a plan outside the plan directory. */
const USUAL = ["task_plan.md", "PLAN.md", "plan.md"];

/**
 * Plans of the agent's work tree, then of the project, so that an agent in another tree or a nested repository is held
 * to the same plan. For a path in both, the work tree's plan counts.
 */
export function plansIn(roots: readonly string[], mode: Mode | undefined, contextDirectory: string): readonly Plan[] {
  const found = [...new Set(roots)].flatMap((root) => plansOf(root, mode, contextDirectory));
  const plans = found.filter(({ path }, at) => found.findIndex((one) => one.path === path) === at);
  return [...plans.filter(({ told }) => told), ...plans.filter(({ told }) => !told)];
}

/** The mode's plan first, then plans its task names, then the newest. */
export function plansOf(root: string, mode: Mode | undefined, contextDirectory: string): readonly Plan[] {
  const bound = mode?.plan === undefined ? [] : [mode.plan];
  const named = (mode?.task ?? "").match(/[^\s`'"()\u3000-\u3002\u300c\u300d]+\.md\b/g)?.slice(0, NAMED_MAX) ?? [];
  const told = [...bound, ...named].flatMap((path) => planAt(root, path, true) ?? []);
  const others = [...inDirectory(root), ...USUAL, `${contextDirectory}/task_plan.md`].flatMap(
    (path) => planAt(root, path, false) ?? [],
  );
  const rest = others.filter(({ path }) => !told.some((one) => one.path === path));
  return [...told, ...rest.sort((a, b) => b.modified - a.modified)];
}

function inDirectory(root: string): readonly string[] {
  try {
    const names = readdirSync(join(root, PLAN_DIRECTORY)).filter((name) => name.endsWith(".md"));
    const paths = names.slice(0, NAMES_MAX).map((name) => `${PLAN_DIRECTORY}/${name}`);
    return paths.length <= FILES_MAX ? paths : newest(root, paths).slice(0, FILES_MAX);
  } catch {
    return [];
  }
}

/** In a directory that is never cleaned up, the current plan is among the newest. */
function newest(root: string, paths: readonly string[]): readonly string[] {
  const timed = paths.map((path) => ({
    path,
    at: lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  return timed.sort((a, b) => b.at - a.at).map(({ path }) => path);
}

/** A name mentioned in a prompt may refer to the plan directory. */
function planAt(root: string, spelled: string, told: boolean): Plan | undefined {
  const places = told ? [spelled, `${PLAN_DIRECTORY}/${basename(spelled)}`] : [spelled];
  for (const place of places) {
    const path = relative(root, resolve(root, place));
    const file = isNameable(path) ? plainFile(join(root, path), BYTES_MAX) : undefined;
    const boxes = file && boxesIn(file.bytes.toString("utf8"));
    const own = path.startsWith(`${PLAN_DIRECTORY}/`) || basename(path) === "task_plan.md";
    if (file && boxes && boxes.total > 0) return { path, modified: file.modified, told, own, ...boxes };
  }
  return undefined;
}

/**
 * The path goes into a small record and into text for the agent, so long names and names with line breaks are rejected.
 */
function isNameable(path: string): boolean {
  const isBelow = path.split("/")[0] !== "..";
  return isBelow && writtenBytes(path) <= PLAN_BYTES_MAX && inline(path, PLAN_BYTES_MAX) === path;
}
