/** Is there a git that the hooks can run? */
import { gitProgram, quietEnvironment } from "../../world/machine/git.ts";
import { type Check, type Finding, ok } from "./check.ts";

export const git: Check = {
  id: "git",
  title: "Git",
  async look({ env, places: { project }, run }) {
    const path = gitProgram(env, project);
    if (path === undefined) return missing("there is no git on the PATH, outside the project");
    const ran = await run(path, ["--version"], { env: quietEnvironment(env), timeoutMs: 5000 });
    const version = /^git version (\S+)/.exec(ran.stdout)?.[1];
    if (ran.code === 0 && version !== undefined) return ok(`${version}, ${path}`);
    return missing(`${path} does not answer like git${ran.problem === undefined ? "" : ` (${ran.problem})`}`);
  },
};

/** The gates work without git; they only see less. */
function missing(what: string): Finding {
  return {
    state: "warn",
    what,
    why: "Sekisho cannot see what is staged before a merge, and knows which code changed only from what the tools report.",
    fix: "Install git, or start the agent with a PATH that has it. A git inside the project is not run.",
  };
}
