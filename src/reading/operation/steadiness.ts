/** Whether the git repository is still what it was before the line, when a later command of the line runs. */

import { names } from "../../lib/name-table.ts";
import type { Invocation, ShellReading, Word } from "../shell/parse/reading.ts";
import { type GitCommand, gitCommand } from "./git-command.ts";
import { gitVerb } from "./git-site.ts";

/**
 * `same`: everything is what it was. `branches`: only the work tree and the index may differ. `files`: new files may
 * have been made, but no links and no repository elsewhere.
 */
export type Steadiness = "same" | "branches" | "files" | "unknown";

const ORDER: readonly Steadiness[] = ["same", "branches", "files", "unknown"];

/** Whether a question that needs `wanted` can be answered. */
export function suffices(one: Steadiness, wanted: Steadiness): boolean {
  return ORDER.indexOf(one) <= ORDER.indexOf(wanted);
}

export function leastSteady(all: readonly Steadiness[]): Steadiness {
  return all.reduce((worst, one) => (suffices(one, worst) ? worst : one), "same");
}

/** What the commands before this one leave; all others count too where the order of the line is not the order of running. */
export function steadinessBefore(
  command: string,
  { invocations, programs, unknown }: ShellReading,
  at: number,
): Steadiness {
  if (unknown.length > 0 || programs.length > 0) return "unknown";
  const others = UNORDERED.test(command) ? invocations.filter((_, index) => index !== at) : invocations.slice(0, at);
  return leastSteady(others.map(steadiness));
}

/** Loops, functions, pipes, substitutions and background commands. */
const UNORDERED =
  /\b(?:for|while|until|select|function|trap|coproc)\b|\(\)|(?<![&>])&(?![&>\d])|(?<!\|)\|(?!\|)|\$\(|`|[<>]\(/;

const LOOKS = names(
  "cd pwd ls cat head tail grep egrep rg wc sort uniq cut tr date true false test [ sleep which type stat diff jq mktemp",
);
const SAYS = names("echo printf cat");
const MAKES = names("mkdir touch cp");

function steadiness(invocation: Invocation): Steadiness {
  const { name = "", args, redirects, assignments, remote, contained, runsUnread } = invocation;
  if (remote || contained || runsUnread || assignments.length > 0) return "unknown";
  const written = redirects.filter(({ kind, target }) => kind !== "read" && target.text !== "/dev/null");
  const verb = gitVerb(invocation);
  if (verb !== undefined) return written.length > 0 ? "unknown" : steadinessOfGit(gitCommand(args), verb);
  if (written.length > 0)
    return SAYS.has(name) && written.every(({ target }) => isOrdinary(target)) ? "files" : "unknown";
  if (LOOKS.has(name) || SAYS.has(name) || setsNothingOfGit(invocation)) return "same";
  return MAKES.has(name) && args.every(isPlain) ? "files" : "unknown";
}

function setsNothingOfGit({ name, args }: Invocation): boolean {
  return (name === "set" || name === "export") && args.every(({ text }) => !text.startsWith("GIT_"));
}

function isPlain(word: Word): boolean {
  return isOrdinary(word) && (!word.text.startsWith("-") || word.text === "-p");
}

function isOrdinary({ text, literal }: Word): boolean {
  return literal && !GIT_OWN.test(text);
}

/** A file or directory of git's own, which can lead to another repository. */
const GIT_OWN = /(?:^|\/)\.git(?:\/|$)/;

const LOOKING = names("status log diff show rev-parse ls-files describe blame fetch push");
/** They move the work tree to another commit, or record it. */
const MOVING = names("checkout switch pull merge add commit");

function steadinessOfGit({ args, config }: GitCommand, verb: string): Steadiness {
  const words = args.map(({ text }) => text);
  const only = (pattern: RegExp): boolean => args.every(({ text, literal }) => literal && pattern.test(text));
  if (config.length > 0) return "unknown";
  if (LOOKING.has(verb)) return "same";
  if (verb === "branch" || verb === "remote") return only(/^(?:-a|-r|-v+|--show-current|--list)$/) ? "same" : "unknown";
  if (MOVING.has(verb))
    return words.some((word) => /^-[a-zA-Z]*[bBcCf]|^--(?:force|orphan|discard|create)/.test(word)) && verb !== "commit"
      ? "unknown"
      : "branches";
  const plain = /^(?:-q|--quiet|--bare|-b|--initial-branch=.*|--depth(?:=\d+)?|[^-].*)$/;
  return (verb === "init" || verb === "clone") && only(plain) ? "files" : "unknown";
}
