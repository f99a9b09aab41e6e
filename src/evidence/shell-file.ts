/**
 * Reads a shell file that the host made during the session and that every later command reads first. The host writes it just
 * before the first command runs, so nobody saw it before an agent's command could change it. It is accepted if it can
 * only define names that no check uses.
 */
import type * as Syntax from "unbash";
import { names } from "../lib/name-table.ts";
import { parseBounded } from "../reading/shell/parse/parse.ts";
import type { UnknownReason } from "../reading/shell/parse/reading.ts";

export interface ShellFile {
  readonly text: string;
  /** Written for a shell whose syntax we cannot parse. */
  readonly foreign: boolean;
  /** The PATH that the host would export. */
  readonly path: string | undefined;
  /** A name that a check uses, so the file must not define it. */
  readonly isUsed: (name: string) => boolean;
}

export function isHarmless({ text, foreign, path, isUsed }: ShellFile): boolean {
  if (foreign) return !text.split("\n").some((line) => isSuspect(line, isUsed));
  const script = parsed(text);
  const seen: Seen = { path, isUsed: (name) => SHELL_WORDS.has(name) || isUsed(name) };
  return script?.commands.every((one) => isQuiet(one, seen)) ?? false;
}

type Seen = Pick<ShellFile, "path" | "isUsed">;

function parsed(text: string): Syntax.ParsedScript | undefined {
  const budget = { parsed: 0, unknown: new Set<UnknownReason>() };
  const script = parseBounded(text, budget);
  return budget.unknown.size === 0 ? script : undefined;
}

/** Words by which the host's own command line runs the agent's. */
const SHELL_WORDS = names(
  "eval source . builtin command exec exit return pwd cd true false test [ trap set unset export hash enable alias unalias shopt :",
);

type Node = Syntax.PipelineNode | Syntax.AndOr | Syntax.Statement | Syntax.CompoundList | Syntax.ParsedScript;

/** True for commands that define harmless names, and for options that change no exit code. */
function isQuiet(node: Node, seen: Seen): boolean {
  switch (node.type) {
    case "Statement":
      return !node.background && isQuiet(node.command, seen);
    case "CompoundList":
    case "AndOr":
      return (node.commands as readonly Node[]).every((one) => isQuiet(one, seen));
    case "Pipeline":
      return node.commands.length === 1 && node.commands.every((one) => isQuiet(one, seen));
    case "If":
      return [node.clause, node.then, ...(node.else ? [node.else] : [])].every((one) => isQuiet(one, seen));
    case "Function":
      return isPlain(node.name) && !seen.isUsed(node.name.value);
    case "Command":
      return isQuietCommand(node, seen);
    default:
      return false;
  }
}

function isQuietCommand({ name, prefix, args, redirects }: Syntax.Command, seen: Seen): boolean {
  if (!name || !isPlain(name) || prefix.length > 0 || !redirects.every(isNowhere)) return false;
  const words = args.map((arg) => (isPlain(arg) ? wordIn(arg) : undefined));
  if (words.includes(undefined)) return false;
  const [first = "", second = ""] = words as readonly string[];
  switch (name.value) {
    case "unalias":
    case "shopt":
    case "setopt":
    case "unsetopt":
    case "true":
      return true;
    case "hash":
      return !first.startsWith("-");
    case "typeset":
      return first === "-f";
    case "set":
      return /^[-+]o$/.test(first) && words.length === 2 && second !== "noexec";
    case "export":
      return words.length === 1 && (seen.path === undefined || bare(first) === bare(`PATH=${seen.path}`));
    case "alias":
      return words.every((word) => word === "--" || !seen.isUsed((word ?? "").replace(/=.*$/s, "")));
    case "eval":
      return words.length === 1 && definesOnly(first, seen);
    default:
      return false;
  }
}

function definesOnly(text: string, seen: Seen): boolean {
  const script = parsed(text);
  return script?.commands.every(({ command }) => command.type === "Function" && isQuiet(command, seen)) ?? false;
}

function isNowhere(redirect: Syntax.Redirection): boolean {
  if (redirect.type !== "Redirect") return false;
  return redirect.target?.value === "/dev/null" || (redirect.operator === ">&" && redirect.target?.value === "1");
}

function isPlain(word: Syntax.CommandArgument): boolean {
  return !/\$\(|`|\$\{|\$\w|[<>]\(/.test(outsideQuotes(word.text));
}

/** Nothing is expanded inside single quotes. */
function outsideQuotes(text: string): string {
  return text.replace(/\$?'(?:\\.|[^'\\])*'/gs, "");
}

function wordIn(arg: Syntax.CommandArgument): string {
  return arg.type === "Word" ? arg.value : bare(arg.text);
}

/** Hosts quote a path in different ways. */
function bare(text: string): string {
  return text.replace(/["'\\]/g, "");
}

/** For a shell whose syntax we cannot parse: lines that define a used name, or that end or replace the shell. */
function isSuspect(line: string, isUsed: (name: string) => boolean): boolean {
  const [, defined] = /^\s*(?:function\s+|alias\s+(?:-\S+\s+)*)?'?([\w.+-]+)'?\s*(?:\(\)|=|\{)/.exec(line) ?? [];
  if (defined !== undefined && isUsed(defined)) return true;
  return (
    /^(?:exit|exec|trap|source|\.|eval)\s/.test(line) ||
    /^(?:function\s+)?(?:eval|builtin|command|source)\s*\(\)/.test(line)
  );
}

/** True if a start file defines the name itself, such as a function that loads a version manager on first use. */
export function isDefinedIn(text: string, name: string): boolean {
  const escaped = name.replace(/[.+]/g, "\\$&");
  return new RegExp(
    `(?:^|[\\s;&|])(?:function\\s+${escaped}\\b|alias\\s+(?:--\\s+)?${escaped}=|${escaped}\\s*\\(\\))`,
  ).test(text);
}
