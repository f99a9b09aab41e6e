/** The plans of a project: files with boxes, where people and agents keep them. */
import { lstatSync, readdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import type { Plan } from "../kernel/facts.ts";
import { PLAN_BYTES_MAX, writtenBytes } from "../kernel/mode-start.ts";
import { boxesIn } from "../kernel/plan-boxes.ts";
import { inline } from "../kernel/text.ts";
import type { Mode } from "../state/modes.ts";
import { plainFile } from "./plain-file.ts";

const BYTES_MAX = 256 * 1024;
const FILES_MAX = 20;
const NAMES_MAX = 500;
const NAMED_MAX = 5;

export const PLAN_DIRECTORY = ".tmp/plans";
/** Beside those in the directory, the names under which a plan is kept. */
const USUAL = ["task_plan.md", "PLAN.md", "plan.md", ".claude/context/task_plan.md"];

/**
 * Of the work tree that the agent stands in, then of the project: whoever has gone into another tree, or into a repository
 * within, is held to the same plan. A path that both have is the nearer one's.
 */
export function plansIn(roots: readonly string[], mode: Mode | undefined): readonly Plan[] {
  const found = [...new Set(roots)].flatMap((root) => plansOf(root, mode));
  const plans = found.filter(({ path }, at) => found.findIndex((one) => one.path === path) === at);
  return [...plans.filter(({ told }) => told), ...plans.filter(({ told }) => !told)];
}

/** The one that the mode is held to first, then those that its task names, then the newest. */
export function plansOf(root: string, mode: Mode | undefined): readonly Plan[] {
  const bound = mode?.plan === undefined ? [] : [mode.plan];
  const named = (mode?.task ?? "").match(/[^\s`'"()\u3000-\u3002\u300c\u300d]+\.md\b/g)?.slice(0, NAMED_MAX) ?? [];
  const told = [...bound, ...named].flatMap((path) => planAt(root, path, true) ?? []);
  const others = [...inDirectory(root), ...USUAL].flatMap((path) => planAt(root, path, false) ?? []);
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

/** Whoever never clears the directory away works with what it wrote last. */
function newest(root: string, paths: readonly string[]): readonly string[] {
  const timed = paths.map((path) => ({
    path,
    at: lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  return timed.sort((a, b) => b.at - a.at).map(({ path }) => path);
}

/** A name that a prompt mentions may stand in the directory of plans. */
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

/** It is kept in a small record and told to the agent: a name that is long or has line ends in it is nobody's plan. */
function isNameable(path: string): boolean {
  const isBelow = path.split("/")[0] !== "..";
  return isBelow && writtenBytes(path) <= PLAN_BYTES_MAX && inline(path, PLAN_BYTES_MAX) === path;
}
