/** Git, run so that it only looks: nothing that a repository's own settings name is started, written or fetched. */
import { existsSync } from "node:fs";
import type { GitSite } from "../kernel/git-site.ts";
import { within } from "../kernel/paths.ts";
import type { Errand } from "./errand.ts";
import type { Environment } from "./places.ts";

const CALM = [
  "--no-pager",
  "--no-optional-locks",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.orderFile=/dev/null", "protocol.allow=never"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/** Undefined when there is no git to be had. */
export function gitErrand(
  { directory, gitDirectory }: GitSite,
  args: readonly string[],
  { env, project, timeMs }: { readonly env: Environment; readonly project: string; readonly timeMs: number },
): Errand | undefined {
  const program = gitProgram(env, project);
  if (program === undefined) return undefined;
  const at = gitDirectory === undefined ? [] : [`--git-dir=${gitDirectory}`];
  return { program, args: [...CALM, ...at, ...args], cwd: directory, env: quietEnvironment(env), timeMs };
}

/** Not from the project itself: what lies there may be the agent's work. */
export function gitProgram({ PATH = "" }: Environment, project: string): string | undefined {
  const directories = PATH.split(":").filter((path) => path.startsWith("/") && !within(path, project));
  return directories.map((path) => `${path}/git`).find((path) => existsSync(path));
}

/** None of the variables that move git elsewhere or make it talk. HOME stays: it says which repositories are trusted. */
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
  };
}
