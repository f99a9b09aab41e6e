/** Commands with unknown effects that get a file: an editor, a patch, a git verb, a tool that rewrites. */
import type { Script, StandingRefusal } from "../../../kernel/facts.ts";
import { absolute } from "../../../lib/paths.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import { gitCommand } from "../../../reading/shell/commands/git.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import { speaksOf } from "./mention.ts";
import { handsOver } from "./own-command.ts";

interface Attempt {
  readonly operation: Operation;
  readonly scripts: readonly Script[];
  readonly targets: Readonly<Record<string, string>>;
}

/** Only for refused writes: deleting commands are known by name, and a directory is passed to many commands. */
export function strangerOver(
  { operation, scripts, targets }: Attempt,
  { kind, what }: StandingRefusal,
): { readonly by: string } | undefined {
  const { shell, effects } = operation;
  if (!shell || kind !== "write") return undefined;
  const invocations = shell.invocations.filter(({ remote, contained }) => !remote && !contained);
  // A link allows writing to the file through it.
  const link = effects.find(({ by, path }) => /^(?:ln|link)$/.test(by) && (targets[path] ?? path) === what);
  if (link) return { by: link.by };
  const verb = invocations.find(
    (one) => one.name === "git" && gitWritesPattern().test(verbOf(one)) && names(one, what),
  );
  if (verb) return { by: `git ${verbOf(verb)}` };
  const patch = patchOver(invocations, scripts, what);
  if (patch) return { by: patch };
  // An effect of a redirection says nothing about the operands.
  const seen = effects.filter(({ invocation, spelled }) => invocation?.args.some(({ text }) => text === spelled));
  const strange = invocations.filter((one) => names(one, what) && !isHarmless(one));
  const by = handsOver({ ...shell, invocations: strange }, seen, { all: [{ kind: "state", path: what }] });
  return by === undefined ? undefined : { by };
}

const gitWritesPattern = (): RegExp =>
  /^(?:checkout|restore|mv|rm|checkout-index|stash|update-index|read-tree|apply|clean)$/;

function verbOf({ args }: Invocation): string {
  return gitCommand(args).verb ?? "";
}

function names({ args, cwd }: Invocation, path: string): boolean {
  return args.some(({ text }) => absolute(text.replace(/^[^=/]*=/, ""), cwd) === path);
}

/** A patch names the files it changes, on the line or in a file. */
function patchOver(invocations: readonly Invocation[], scripts: readonly Script[], path: string): string | undefined {
  const applies = ({ name, args }: Invocation): boolean =>
    name === "patch" || (name === "git" && args.some(({ text }) => text === "apply" || text === "am"));
  const inline = invocations.find((one) => applies(one) && touches(one.stdin?.text ?? "", path, one.cwd));
  const file = scripts.find(({ by, text = "" }) => applies(by) && touches(text, path, by.cwd));
  return (inline ?? file?.by)?.name;
}

function touches(patch: string, path: string, cwd: string | undefined): boolean {
  return patch
    .split("\n")
    .some(
      (line) =>
        /^(?:\+\+\+|---|rename to|copy to|diff --git)/.test(line) &&
        speaksOf(line.replace(/ [ab]\//g, " ./"), path, cwd),
    );
}

/**
 * Shells and project files are judged by their text; the other tools here only read, unless an option makes them write.
 */
function isHarmless({ name = "", word, args }: Invocation): boolean {
  if (word.text.includes("/") || /^(?:ba|z|da|k|fi)?sh$|^(?:source|\.)$/.test(name)) return true;
  return checkersPattern().test(name) && !args.some(rewrites);
}

const checkersPattern = (): RegExp =>
  /^(?:ack|ag|astro|ava|bats|biome|black|bun|bunx|bundle|cargo|chmod|clang|clang-tidy|cloc|corepack|ctest|curl|deno|docker|dotnet|eslint|flake8|g\+\+|gcc|gh|glab|go|golangci-lint|hadolint|hatch|helm|isort|java|javac|jest|kubectl|make|markdownlint|mocha|mypy|nox|npm|npx|nyc|oxlint|phpstan|phpunit|pip|pipenv|pnpm|pnpx|poetry|prettier|pylint|pyright|pytest|rspec|rubocop|ruff|rustc|scc|shellcheck|standard|stylelint|swift|terraform|tokei|tox|tsc|tsx|ts-node|uv|uvx|vitest|vue-tsc|wget|yamllint|yarn)$/;

function rewrites({ text }: Word): boolean {
  return /^(?:--?(?:fix\S*|write|in-?place|apply\S*|auto-?correct\S*|unsafe\S*)|-w|-i|-a|-A|fmt|format)$/.test(text);
}
