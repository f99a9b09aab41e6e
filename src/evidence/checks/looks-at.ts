/** Which files the tools of a check look at, by the endings of their names. */
import { names, Rows } from "../../lib/name-table.ts";
import type { Check } from "./check.ts";
import { wordsIn } from "./definition.ts";
import { kindOf } from "./kinds.ts";

const NODE = "js jsx mjs cjs ts tsx mts cts vue svelte astro";

/** The endings of the files that a tool looks at by itself. */
const ENDINGS = new Rows(`
ruff: py pyi
mypy: py pyi
pyright: py pyi
basedpyright: py pyi
flake8: py
pylint: py
pytest: py
unittest: py
eslint: ${NODE}
oxlint: ${NODE}
xo: ${NODE}
standard: ${NODE}
biome: ${NODE} json css
vitest: ${NODE} json
jest: ${NODE} json
mocha: ${NODE} json
ava: ${NODE} json
playwright: ${NODE} json html
tsc: ${NODE} json
vue-tsc: ${NODE} json
tsgo: ${NODE} json
svelte-check: ${NODE} json
stylelint: css scss sass less
rubocop: rb
rspec: rb
go: go
golangci-lint: go
staticcheck: go
cargo: rs
`);

export function endingsFor(program: string): readonly string[] | undefined {
  return ENDINGS.get(program)?.split(" ");
}

/** Each runs the tasks of a workspace's packages, which check these files. */
const WORKSPACES = names("npm pnpm yarn bun turbo nx lerna");
const OF_WORKSPACES = `${NODE} json`.split(" ");

/** Those of the files that the check may look at. A check with a tool that is not in the table may look at anything. */
export function lookedAt(check: Check, files: readonly string[]): readonly string[] {
  const commands = wordsIn(check);
  const endings = commands.map(endingsIn);
  if (commands.length === 0 || endings.includes(undefined)) return files;
  const all = new Set(endings.flatMap((some) => some ?? []));
  return files.filter((file) => all.has(file.slice(file.lastIndexOf(".") + 1)));
}

function endingsIn(words: readonly string[]): readonly string[] | undefined {
  const kind = kindOf(words, "/");
  if (!kind) return undefined;
  if (kind.byName) return WORKSPACES.has(kind.program) ? OF_WORKSPACES : undefined;
  return endingsFor(kind.program);
}
