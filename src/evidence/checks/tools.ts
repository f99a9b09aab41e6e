/**
 * Programs and tasks that check code, by what they check, whatever a project calls its checks. Plain data: every event with
 * a command reads it.
 */
import { type Names, names, Rows } from "../../lib/name-table.ts";

/** `name:verb` is a program with its subcommand. */
export const TOOLS = new Rows(`
test: pytest vitest jest mocha ava jasmine karma tap rspec phpunit pest bats ctest tox nox gotestsum cargo:test
  cargo:nextest go:test mix:test mvn:test mvn:verify mvn:install mvn:package gradle:test gradle:check gradle:build
  dotnet:test bazel:test bazelisk:test deno:test bun:test swift:test flutter:test dart:test sbt:test rails:test
  playwright:test cypress:run hatch:test unittest
lint: eslint oxlint stylelint xo standard biome:check biome:lint biome:ci ruff:check flake8 pylint rubocop
  golangci-lint:run staticcheck revive go:vet cargo:clippy phpcs ktlint detekt swiftlint shellcheck hadolint mix:credo
  deno:lint pre-commit:run prek:run lefthook:run gradle:check gradle:build mvn:verify markdownlint standardrb
typecheck: tsc vue-tsc tsgo svelte-check astro:check mypy pyright basedpyright pyre ty:check phpstan psalm sorbet srb:tc
  cargo:check cargo:build cargo:test cargo:clippy cargo:nextest deno:check dart:analyze flutter:analyze mix:dialyzer
build: cargo:build cargo:test cargo:nextest go:build go:test mvn:compile mvn:test mvn:package mvn:verify mvn:install
  gradle:build gradle:assemble gradle:test dotnet:build dotnet:test bazel:build bazel:test bazelisk:build bazelisk:test
  mix:compile mix:test swift:build swift:test vite:build next:build astro:build webpack rollup tsup
security: cargo:audit cargo:deny npm:audit pnpm:audit yarn:audit composer:audit bundle-audit pip-audit bandit gosec semgrep
  govulncheck
`);

/** Programs that run tasks by name, each with the words before the name; `-`: the name comes at once. */
export const TASK_RUNNERS = new Rows(`
make: -
just: -
task: -
go-task: -
mise: run r
rake: -
poe: -
invoke: -
inv: -
turbo: run -
lerna: run
moon: run
rush: -
nx: run -
hatch: run
pdm: run
tox: -e
nox: -s -e --session
`);

/** Programs that start others, managers of packages, and interpreters. */
const STARTERS =
  "npm npx pnpm pnpx yarn bun bunx node deno composer python uv uvx poetry pipenv rye pipx bundle sekisho";

/** Other names of programs in the tables. */
const ALIASES = "mvnw gradlew py.test gmake py";

let programs: Names | undefined;

/** False for most commands, which run no check; tells by their words, without parsing them. */
export function mayRunChecks(command: string): boolean {
  programs ??= names([...toolNames(), ...TASK_RUNNERS.names(), STARTERS, ALIASES].join(" "));
  return programs.occurIn(command, ".-") || programs.occurIn(command.replace(VERSION, ""), ".-");
}

/** `python3.12` is `python`. */
const VERSION = /(?<=[a-z])[\d.]+(?![\w-])/g;

function toolNames(): readonly string[] {
  return toolsListed().map((tool) => (tool.includes(":") ? tool.slice(0, tool.indexOf(":")) : tool));
}

function toolsListed(): readonly string[] {
  return TOOLS.names().flatMap((check) => TOOLS.get(check)?.split(" ") ?? []);
}

/**
 * A pattern for the text of command lines that run a check. It means the same as a JavaScript and as a POSIX extended
 * regular expression, because shells match it as well; so it has no escapes and no named classes.
 */
export function checkPattern(): string {
  const tools = toolsListed();
  const alone = tools.filter((tool) => !tool.includes(":"));
  const verbs = new Map<string, Set<string>>();
  for (const tool of tools.filter((one) => one.includes(":"))) {
    const [name = "", verb = ""] = tool.split(":");
    verbs.set(name, (verbs.get(name) ?? new Set()).add(verb));
  }
  const wrapped: Readonly<Record<string, string>> = { mvn: "mvnw?", gradle: "gradlew?" };
  const several = [...verbs].map(([name, some]) => `${wrapped[name] ?? name}${BETWEEN}(${[...some].join("|")})`);
  const runners = `(${[...TASK_RUNNERS.names(), ...MANAGERS.split(" ")].join("|")})${BETWEEN}${TASK}`;
  return `(^|[^A-Za-z0-9_-])(${[...new Set(alone), ...several, runners].join("|")})($|[^A-Za-z0-9_-])`;
}

const MANAGERS = "npm pnpm yarn bun deno composer";
/** Options between a program and its verb. */
const BETWEEN = "( [^;&|]*)? ([A-Za-z0-9_-]*:)*";
/** A task that is named for a check. */
const TASK =
  "([A-Za-z0-9]+[:/._-])*(tests?|specs?|unit|lint|linter|check|checks|typecheck|types|tsc|build|compile|ci|verify)([:/._-][A-Za-z0-9:/._-]*)?";
