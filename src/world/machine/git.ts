/** Runs git read-only: nothing that the repository's settings name is started, written or fetched. */
import { existsSync } from "node:fs";
import type { ProgramRun } from "../../kernel/effect.ts";
import { within } from "../../lib/paths.ts";
import type { GitSite } from "../../reading/operation/git-site.ts";
import type { Environment } from "./places.ts";

const CALM = [
  "--no-pager",
  "--no-optional-locks",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.orderFile=/dev/null", "protocol.allow=never"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/** Undefined when git is not installed. */
export function gitRun(
  { directory, gitDirectory }: GitSite,
  args: readonly string[],
  { env, project, timeMs }: { readonly env: Environment; readonly project: string; readonly timeMs: number },
): ProgramRun | undefined {
  const program = gitProgram(env, project);
  if (program === undefined) return undefined;
  const at = gitDirectory === undefined ? [] : [`--git-dir=${gitDirectory}`];
  return { program, args: [...CALM, ...at, ...args], cwd: directory, env: quietEnvironment(env), timeMs };
}

export function gitProgram(env: Environment, project: string): string | undefined {
  return searchPath(env, project)
    .map((path) => `${path}/git`)
    .find((path) => existsSync(path));
}

/** PATH entries outside the project: a program inside it may be the agent's work. */
export function searchPath({ PATH = "" }: Environment, project: string): readonly string[] {
  return PATH.split(":").filter((path) => path.startsWith("/") && !within(path, project));
}

/** Drops the variables that redirect git or make it verbose. HOME stays: it says which repositories are trusted. */
export function quietEnvironment({
  PATH = "",
  HOME = "",
  XDG_CONFIG_HOME,
}: Environment): Readonly<Record<string, string>> {
  return {
    PATH,
    HOME,
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}
