/** Knows which files a linter covers, which commands run a linter, and which commands precede a commit. */

import { type Names, names } from "../../lib/name-table.ts";
import { LINTERS, type Linter } from "../../state/session/lint.ts";
import type { Invocation } from "../shell/parse/reading.ts";
import { gitVerb } from "./git-site.ts";
import type { Operation } from "./operation.ts";

/** By file ending. */
const FILES: Readonly<Record<Linter, Names>> = {
  eslint: names("js jsx cjs cjsx mjs mjsx ts tsx cts ctsx mts mtsx vue svelte"),
  ruff: names("py pyi"),
  shellcheck: names("sh bash"),
};

/** The linters for the files an operation would change. */
export function linterFor({ effects }: Operation): readonly Linter[] {
  const changed = effects.filter(({ kind, elsewhere }) => kind === "write" && !elsewhere);
  if (changed.length === 0) return [];
  const ends = changed.map(({ path }) => path.slice(path.lastIndexOf(".") + 1));
  return LINTERS.filter((linter) => ends.some((end) => FILES[linter].has(end)));
}

export function isLintedBy(linter: Linter, path: string): boolean {
  return FILES[linter].has(path.slice(path.lastIndexOf(".") + 1));
}

/** Linters by name; a task that runs all linters of a project is recognised by the name of the task. */
export function lintersRunBy({ name = "", args }: Invocation): readonly Linter[] {
  if (FOR_SCRIPTS.has(name)) return ["eslint"];
  if ((name === "ruff" && args.some(({ text }) => text === "check")) || FOR_PYTHON.has(name)) return ["ruff"];
  if (name === "shellcheck") return ["shellcheck"];
  const isTask = RUNNERS.has(name) && args.some(({ text }) => isLintTask(text));
  return isTask || name === "lint-staged" || (name === "pre-commit" && args[0]?.text === "run") ? LINTERS : [];
}

const FOR_SCRIPTS = names("eslint biome oxlint xo standard");
const FOR_PYTHON = names("flake8 pylint");
const RUNNERS = names("npm pnpm yarn bun make just task tox nox");

function isLintTask(task: string): boolean {
  return (task.startsWith("lint") || task.startsWith("check")) && /^[:\w-]*$/.test(task);
}

export function stagesOrCommits(invocation: Invocation): "commit" | "add" | undefined {
  const verb = gitVerb(invocation);
  return verb === "commit" || verb === "add" ? verb : undefined;
}
