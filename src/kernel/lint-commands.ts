/** Which files a linter is for, which commands run one, and which commands are followed by a commit. */
import { LINTERS, type Linter } from "../state/lint.ts";
import { gitVerb } from "./git-site.ts";
import type { Operation } from "./operation.ts";
import type { Invocation } from "./shell-reading.ts";

function filesOf(linter: Linter): RegExp {
  if (linter === "eslint") return /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
  return linter === "ruff" ? /\.pyi?$/ : /\.(?:sh|bash)$/;
}

/** Whose files an operation would change. */
export function linterFor({ effects }: Operation): readonly Linter[] {
  const changed = effects.filter(({ kind, elsewhere }) => kind === "write" && !elsewhere);
  if (changed.length === 0) return [];
  return LINTERS.filter((linter) => changed.some(({ path }) => filesOf(linter).test(path)));
}

/** Linters by their names; one that stands for all of a project's is known by the name of its task. */
export function lintersRunBy({ name = "", args }: Invocation): readonly Linter[] {
  const words = args.map(({ text }) => text);
  if (/^(?:eslint|biome|oxlint|xo|standard)$/.test(name)) return ["eslint"];
  if ((name === "ruff" && words.includes("check")) || /^(?:flake8|pylint)$/.test(name)) return ["ruff"];
  if (name === "shellcheck") return ["shellcheck"];
  const isTask = /^(?:npm|pnpm|yarn|bun|make|just|task|tox|nox)$/.test(name) && words.some((word) => TASK.test(word));
  return isTask || name === "lint-staged" || (name === "pre-commit" && words[0] === "run") ? LINTERS : [];
}

const TASK = /^(?:lint|check)(?:[:\w-]*)$/;

export function stagesOrCommits(invocation: Invocation): "commit" | "add" | undefined {
  const verb = gitVerb(invocation);
  return verb === "commit" || verb === "add" ? verb : undefined;
}
