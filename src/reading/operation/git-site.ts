/** Finds the repository of a git command, and the commands that start a merge. */

import { hasOption, optionValue } from "../shell/parse/options.ts";
import type { Invocation } from "../shell/parse/reading.ts";
import { gitCommand } from "./git-command.ts";

export interface GitSite {
  readonly directory: string;
  /** Named on the command line; otherwise git searches upwards from the directory. */
  readonly gitDirectory?: string;
}

/** Without a known directory, the session's directory is assumed. */
export function gitSite({ args, assignments, cwd }: Invocation, standing: string): GitSite {
  const { args: own } = gitCommand(args);
  const named = optionValue(args.slice(0, args.length - own.length), ["--git-dir"]);
  const set = assignments.find(({ name }) => name === "GIT_DIR")?.value;
  const gitDirectory = named ?? set;
  return { directory: cwd ?? standing, ...(gitDirectory?.literal && { gitDirectory: gitDirectory.text }) };
}

export function siteName({ directory, gitDirectory }: GitSite): string {
  return gitDirectory === undefined ? directory : `${directory} (${gitDirectory})`;
}

/** The subcommand of a git command that runs on this machine. */
export function gitVerb({ name, args, remote, contained }: Invocation): string | undefined {
  return name === "git" && !remote && !contained ? gitCommand(args).verb : undefined;
}

/**
 * `git merge`, and `git pull` if it may merge. Not `--continue` or `--abort`, and not a pull that only fast-forwards or
 * that git refuses because of staged files.
 */
export function beginsMerge(invocation: Invocation): boolean {
  const verb = gitVerb(invocation);
  if (verb !== "merge" && verb !== "pull") return false;
  const { args } = gitCommand(invocation.args);
  if (verb === "merge") return !args.some(({ text }) => /^(?:--(?:abort|continue|quit|help)|-h)$/.test(text));
  const isHarmless = args.some(({ text }) => /^--(?:ff-only|dry-run|help|rebase(?:=(?!false)\w+)?)$/.test(text));
  return !isHarmless && !hasOption(args, "rh");
}
