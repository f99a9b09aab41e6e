/** Keeps the files of a pass as a commit under a ref of the run. No branch, index or file of the work tree is touched. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { discard } from "../../store/journal/discard.ts";
import { gitProgram, quietEnvironment } from "../../world/machine/git.ts";
import { Problem } from "../problem.ts";
import { type Site, slug } from "./site.ts";

const NAMED = {
  ...{ GIT_AUTHOR_NAME: "Sekisho", GIT_AUTHOR_EMAIL: "sekisho@localhost" },
  ...{ GIT_COMMITTER_NAME: "Sekisho", GIT_COMMITTER_EMAIL: "sekisho@localhost" },
};

export function gitAt(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const git = gitProgram(process.env, root);
  if (git === undefined) throw new Problem("A pipeline needs git, and none is on the PATH.");
  const safe = ["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "core.fsmonitor=false"];
  const options = { cwd: root, env: { ...quietEnvironment(process.env), ...env }, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(git, [...safe, ...args], { ...options, maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Problem(`git ${args[0]} failed: ${stderr.trim().split("\n")[0]}`);
  return stdout.trim();
}

export function refOf(run: string, step: string, attempt: number): string {
  return `refs/sekisho/runs/${run}/${slug(step)}/${attempt}`;
}

/** Everything that git doesn't ignore, as it is now. */
export function keepFiles({ root, directory }: Pick<Site, "root" | "directory">, ref: string, message: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const index = join(directory, `index.${process.pid}`);
  const env = { ...NAMED, GIT_INDEX_FILE: index };
  try {
    gitAt(root, ["read-tree", "HEAD"], env);
    gitAt(root, ["add", "--all", "--", "."], env);
    const tree = gitAt(root, ["write-tree"], env);
    const commit = gitAt(root, ["commit-tree", tree, "-p", "HEAD", "-m", message], env);
    gitAt(root, ["update-ref", ref, commit]);
    return commit;
  } finally {
    discard(index);
  }
}

export function isClean(root: string): boolean {
  return gitAt(root, ["status", "--porcelain", "--untracked-files=normal"]) === "";
}

/** The same files give the same tree. */
export function treeOf(root: string, commit: string): string {
  return gitAt(root, ["rev-parse", `${commit}^{tree}`]);
}
