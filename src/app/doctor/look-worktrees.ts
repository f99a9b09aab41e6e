/** Do the hooks also run in worktrees that the host creates? */
import { COMMIT_HOOKS, hooksOutsideWorktrees } from "../setup/worktrees.ts";
import { type Check, ok } from "./check.ts";

export const worktrees: Check = {
  id: "worktrees",
  title: "Worktrees",
  look({ files, places: { project } }) {
    const path = hooksOutsideWorktrees(project, files);
    if (path === undefined) return ok("the hooks also run in worktrees of the client");
    return {
      state: "warn",
      what: `${path} holds the hooks and isn't committed`,
      why: "`claude -w` starts in a new worktree, which has only committed files. Sekisho's hooks would not run there.",
      fix: COMMIT_HOOKS,
    };
  },
};
