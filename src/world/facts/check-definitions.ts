/** What the checks of a project consist of, as short digests that tell one version from another. */
import { type Check, madeOf } from "../../evidence/checks/check.ts";
import { scriptsIn } from "../../reading/scripts/entries.ts";
import type { Definitions } from "../../state/session/checks.ts";
import { treeAt } from "../machine/project-tree.ts";

/** Enough characters of the digest to tell definitions apart. */
const DEFINITION_CHARS = 24;

/** What each check consists of, and all tasks of the project. A project without checks has none. */
export function definitionsOf(
  root: string,
  checks: readonly Check[],
  digest: ((text: string) => string) | undefined,
): Definitions {
  const short = (text: string): string => digest?.(text).slice(0, DEFINITION_CHARS) ?? "";
  const all = checks.map((check) => [check.name, short(madeOf(check))] as const);
  return checks.length === 0 ? {} : { ...Object.fromEntries(all), tasks: short(tasksText(root)) };
}

/** Files whose whole text is about tasks. */
const TASK_FILES =
  "Makefile makefile GNUmakefile justfile Justfile .justfile mise.toml .mise.toml Taskfile.yml Taskfile.yaml tox.ini noxfile.py turbo.json Rakefile".split(
    " ",
  );

/** The scripts and tasks by name, so that a task that is added or changed in the session is noticed. */
function tasksText(root: string): string {
  const { text } = treeAt(root);
  const scripts = ["package.json", "composer.json"].map((file) => JSON.stringify(scriptsIn(text(file) ?? "{}")));
  const tables = (text("pyproject.toml") ?? "")
    .split(/^(?=\[)/m)
    .filter((table) => /^\[tool\..*(?:tasks|scripts)/.test(table));
  return [...scripts, ...tables, ...TASK_FILES.flatMap((file) => text(file) ?? [])].join("\n");
}
