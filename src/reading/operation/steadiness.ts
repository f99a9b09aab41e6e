/** Whether a repository is still what it was before the line, when a later git command of the line runs. */

import { names } from "../../lib/name-table.ts";
import type { Invocation, ShellReading, Word } from "../shell/parse/reading.ts";
import { type GitCommand, gitCommand } from "./git-command.ts";
import { gitVerb } from "./git-site.ts";

/**
 * What a command does to the repositories after it. `recorded`: staged or committed. `made`: files or a repository, but
 * no links. `moved`: the work tree is at another commit.
 */
type Trace = "same" | "recorded" | "made" | "moved" | "unknown";

/** Which traces a question bears: about files, about branches and stashes, about being a scratch repository. */
const BEARS = {
  files: ["same"],
  branches: ["same", "recorded", "moved"],
  scratch: ["same", "recorded", "made"],
} as const satisfies Record<string, readonly Trace[]>;

export type Asked = keyof typeof BEARS;

/** The place of a command in its line. */
export interface Standing {
  readonly command: string;
  readonly shell: ShellReading;
  /** Index among the invocations. */
  readonly at: number;
}

/** Where the order of the line is not the order of running, all other commands count. */
export function isSteady({ command, shell, at }: Standing, asked: Asked): boolean {
  const { invocations, programs, unknown } = shell;
  if (unknown.length > 0 || programs.length > 0) return false;
  const others = UNORDERED.test(command) ? invocations.filter((_, index) => index !== at) : invocations.slice(0, at);
  const bears: readonly Trace[] = BEARS[asked];
  return others.every((one) => bears.includes(traceOf(one)));
}

/** Loops, functions, pipes, substitutions and background commands. */
const UNORDERED =
  /\b(?:for|while|until|select|function|trap|coproc)\b|\(\)|(?<![&>])&(?![&>\d])|(?<!\|)\|(?!\|)|\$\(|`|[<>]\(/;

/**
 * Whether the command really runs in its directory: a `cd` may fail or be skipped, and then the command runs where the
 * line began. `if there`: it does if the directory exists.
 */
export function runsThere({ command, shell, at }: Standing): "surely" | "if there" | "maybe" {
  const { invocations } = shell;
  const invocation = invocations[at];
  if (!invocations.some(({ name }) => name === "cd") || (invocation && namesPlace(invocation))) return "surely";
  const found = command.search(new RegExp(`\\bgit\\s+(?:-C\\s+\\S+\\s+)?${invocation ? gitVerb(invocation) : ""}\\b`));
  if (found >= 0 && /^(?:[^;\n|&]|&&)*$/.test(command.slice(0, found))) return "surely";
  const isOnlyFirst = invocations.filter(({ name }) => name === "cd").length === 1;
  return isOnlyFirst && /^(?:\s|\\\n)*cd\s+[^\s;&|]+\s*(?:&&|[;\n])/.test(command) ? "if there" : "maybe";
}

/** `git -C /tmp/x`: without that directory git fails. */
function namesPlace({ args }: Invocation): boolean {
  return args.some(({ text }, at) => (text === "-C" && args[at + 1]?.text.startsWith("/")) || text.startsWith("-C/"));
}

const LOOKS = names(
  "cd pwd ls cat head tail grep egrep rg wc sort uniq cut tr date true false test [ sleep which type stat diff jq",
);
const SAYS = names("echo printf cat");
const MAKES = names("mkdir touch cp");

function traceOf(invocation: Invocation): Trace {
  const { args, redirects, remote, contained, runsUnread } = invocation;
  if (remote || contained || runsUnread || !setsNothingOfUse(invocation)) return "unknown";
  const written = redirects.flatMap(({ kind, target }) =>
    kind === "read" || target.text === "/dev/null" ? [] : [target],
  );
  const verb = gitVerb(invocation);
  if (verb === undefined) return plainTrace(invocation, written);
  return written.length > 0 ? "unknown" : gitTrace(gitCommand(args), verb);
}

function plainTrace({ name = "", args }: Invocation, written: readonly Word[]): Trace {
  if (written.length > 0) return SAYS.has(name) && written.every(isOrdinary) ? "made" : "unknown";
  if (LOOKS.has(name) || SAYS.has(name) || SETS.has(name)) return "same";
  // A new directory that is not below the temporary one may lie in the project.
  if (name === "mktemp") return args.every(({ text }) => text === "-d") ? "same" : "unknown";
  return MAKES.has(name) && args.every(isPlain) ? "made" : "unknown";
}

const SETS = names("set export :");
/** Variables by which git, `cd` or `mktemp` go elsewhere. */
const USED = /^(?:GIT_|CDPATH|HOME|PATH|TMPDIR|XDG_|BASH|ENV|IFS|LD_)/;

function setsNothingOfUse({ name = "", args, assignments }: Invocation): boolean {
  if (assignments.some((one) => USED.test(one.name)) || (assignments.length > 0 && name !== ":")) return false;
  return !(SETS.has(name) && args.some(({ text }) => USED.test(text)));
}

function isPlain(word: Word): boolean {
  return isOrdinary(word) && (!word.text.startsWith("-") || word.text === "-p");
}

/** No file or directory of git's own, which could lead to another repository. */
function isOrdinary({ text, literal }: Word): boolean {
  return literal && !/(?:^|\/)\.git(?:\/|$)/.test(text);
}

const LOOKING = names("status log diff show rev-parse ls-files describe blame fetch push");
const RECORDING = names("add commit");
const MOVING = names("checkout switch pull merge");

function gitTrace({ args, config }: GitCommand, verb: string): Trace {
  const only = (pattern: RegExp): boolean => args.every(({ text, literal }) => literal && pattern.test(text));
  if (config.length > 0) return "unknown";
  if (LOOKING.has(verb)) return "same";
  if (RECORDING.has(verb)) return "recorded";
  if (verb === "branch" || verb === "remote") return only(/^(?:-a|-r|-v+|--show-current|--list)$/) ? "same" : "unknown";
  if (MOVING.has(verb)) return only(/^(?!-[a-zA-Z]*[bBcCf]|--(?:force|orphan|discard|create))/) ? "moved" : "unknown";
  const isInit = verb === "init" && only(/^(?:-q|--quiet|--bare|-b|--initial-branch=.*|[^-].*)$/);
  return isInit && args.every(isOrdinary) ? "made" : "unknown";
}
