/**
 * Parses the subcommand and settings of a git command; separate from the shell reader, so that it can be loaded without
 * it.
 */

import { cut, operandStart } from "../shell/parse/options.ts";
import type { Word } from "../shell/parse/reading.ts";

export const GLOBAL_OPTIONS = {
  short: "Cc",
  long: ["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"],
};

export interface GitCommand {
  readonly verb: string | undefined;
  readonly args: readonly Word[];
  readonly config: readonly Word[];
}

/**
 * The subcommand and its arguments, after the global options. Cached, because many policies ask for the same command.
 */
export function gitCommand(args: readonly Word[]): GitCommand {
  const known = READ.get(args);
  if (known) return known;
  const command = readGit(args);
  READ.set(args, command);
  return command;
}

const READ = new WeakMap<readonly Word[], GitCommand>();

function readGit(args: readonly Word[]): GitCommand {
  const start = operandStart(args, GLOBAL_OPTIONS);
  const verb = args[start];
  const options = args.slice(0, start);
  const config = options.flatMap((option, index) => {
    const next = options[index + 1];
    if (option.text === "-c") return next ? [next] : [];
    return option.text.startsWith("-c") ? [cut(option, 2)] : [];
  });
  return { verb: verb?.literal ? verb.text : undefined, args: args.slice(start + 1), config };
}
