/** Which repository a git command is about, and which commands begin a merge. */
import { gitCommand } from "./git-command.ts";
import { hasOption, optionValue } from "./shell-options.ts";
import type { Invocation } from "./shell-reading.ts";

export interface GitSite {
  readonly directory: string;
  /** Named on the line; otherwise git looks for it from the directory upwards. */
  readonly gitDirectory?: string;
}

/** A command whose directory the line does not say is taken to stand where the session does. */
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

/** The verb of a git command that would run on this machine. */
export function gitVerb({ name, args, remote, contained }: Invocation): string | undefined {
  return name === "git" && !remote && !contained ? gitCommand(args).verb : undefined;
}

/**
 * `git merge`, and `git pull` where it may merge. Not what goes on with a merge or gives it up, and not a pull that
 * only moves the branch forward or that git itself refuses over staged files.
 */
export function beginsMerge(invocation: Invocation): boolean {
  const verb = gitVerb(invocation);
  if (verb !== "merge" && verb !== "pull") return false;
  const { args } = gitCommand(invocation.args);
  if (verb === "merge") return !args.some(({ text }) => /^(?:--(?:abort|continue|quit|help)|-h)$/.test(text));
  const isHarmless = args.some(({ text }) => /^--(?:ff-only|dry-run|help|rebase(?:=(?!false)\w+)?)$/.test(text));
  return !isHarmless && !hasOption(args, "rh");
}
