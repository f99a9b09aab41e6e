/** Decides whether a command is a check, wholly or in part, here or in another directory. */

import { names, Rows } from "../../lib/name-table.ts";
import type { Step } from "../../reading/shell/proof/state.ts";
import type { Check } from "./check.ts";
import { below, pathsOf, type Sources } from "./covers.ts";
import { partsOf, wordsIn } from "./definition.ts";
import { idleAt, isSameRun } from "./flags.ts";
import { placed } from "./placing.ts";
import { programOf, type ScriptCall, scriptCall } from "./spelling.ts";
import { TASK_RUNNERS } from "./tools.ts";

export type Likeness = "whole" | "partial" | "elsewhere";

/** A check with its parsed definition. */
export interface Known {
  readonly check: Check;
  /** The commands that together make up the check; empty when that is not certain. */
  readonly parts: readonly (readonly string[])[];
  readonly programs: readonly (readonly string[])[];
}

export function known(check: Check, root: string): Known {
  const plain = (lists: readonly (readonly string[])[]) => lists.map((words) => programOf(words, root));
  return { check, parts: plain(partsOf(check) ?? []), programs: plain(wordsIn(check)) };
}

export function likeness(step: Step, of: Known, root: string, sources: Sources): Likeness | undefined {
  const { words, open } = step;
  const { check, parts } = of;
  const program = programOf(words, root);
  const called = asScript(words, of) ?? asTarget(words, check) ?? asTarget(program, check);
  if (called !== undefined) return open && called === "whole" ? "partial" : called;
  const [only, ...more] = parts;
  const isWhole = (run: readonly string[], part: readonly string[]): boolean =>
    isSameRun(run, part) || isImplied(run, part) || isAllOf(run, part, root, sources);
  if (only && more.length === 0 && !open && isWhole(program, only)) return "whole";
  return of.programs.some((one) => isSameProgram(program, one)) ? "partial" : undefined;
}

/** A program with another subcommand that does the same and more: `cargo test` compiles what `cargo check` checks. */
function isImplied(run: readonly string[], part: readonly string[]): boolean {
  const [name = ""] = run;
  const [verb, own] = [verbOf(run), verbOf(part)];
  if (name !== part[0] || own === undefined || !IMPLIED.get(`${name}:${verb}`)?.split(" ").includes(own)) return false;
  // What follows belongs to the tests or to the linter.
  const end = run.includes("--") ? run.indexOf("--") : run.length;
  return isSameRun(
    run.slice(0, end).map((word) => (word === verb ? own : word)),
    part,
  );
}

const IMPLIED = new Rows(`
cargo:test: check build
cargo:build: check
cargo:clippy: check
go:test: build
mvn:test: compile
mvn:package: test compile
mvn:verify: test compile
mvn:install: test compile
gradle:check: test
gradle:build: test check assemble
dotnet:test: build
mix:test: compile
bazel:test: build
swift:test: build
`);

/** `ruff check src/ tests/` where all code is in these two: the whole of `ruff check`. */
function isAllOf(run: readonly string[], part: readonly string[], root: string, sources: Sources): boolean {
  const [ran, own] = [pathsOf(run), pathsOf(part)];
  if (ran === undefined || own === undefined || ran.length === 0) return false;
  const without = (words: readonly string[], paths: readonly string[]) => words.filter((word) => !paths.includes(word));
  if (!own.every((path) => below("", path) === "") || !isSameRun(without(run, ran), without(part, own))) return false;
  const places = ran.map((path) => below("", path.startsWith(`${root}/`) ? path.slice(root.length) : path));
  return sources.areAll(places, run[0] ?? "");
}

/** True if the step is one complete part of the check. */
export function isPart({ words, open }: Step, part: readonly string[], root: string): boolean {
  return !open && isSameRun(programOf(words, root), part);
}

function asScript(words: readonly string[], { check, parts }: Known): Likeness | undefined {
  if (check.script === undefined) return undefined;
  const call = scriptCall(words);
  if (call?.script !== check.script || isOther(words[0], check)) return undefined;
  if (call.away) return "elsewhere";
  if (!call.own.every((option) => idleAt([option], 0, "npm") > 0)) return "partial";
  return isIdle(call, parts) ? "whole" : "partial";
}

/** A composer script is not an npm script. */
function isOther(manager: string | undefined, { command }: Check): boolean {
  const [own = ""] = command.split(" ");
  const kind = (name: string): string => (name === "composer" || name === "deno" ? name : "node");
  return kind(manager ?? "") !== kind(own);
}

/** Arguments of a script go to its last command. */
function isIdle({ passed }: ScriptCall, parts: Known["parts"]): boolean {
  const program = parts.at(-1)?.[0] ?? "*";
  return isSameRun([program, ...passed], [program]);
}

function asTarget(words: readonly string[], { target, command }: Check): Likeness | undefined {
  const [own = ""] = command.split(" ");
  const { words: bare, dirs, packages } = placed(words);
  const [tool = "", ...rest] = bare;
  if (target === undefined || (tool === "gmake" ? "make" : tool) !== own) return undefined;
  const isBare = rest.every((word) => idleAt([word], 0, own) > 0);
  if (!rest.includes(target) && !(isBare && command === own)) return undefined;
  if (dirs.length + packages.length > 0) return "elsewhere";
  return isOnlyTask(rest, own, target) ? "whole" : "partial";
}

/** Other targets of make do no harm; other runners may take further words as arguments. */
function isOnlyTask(words: readonly string[], tool: string, target: string): boolean {
  const verbs = TASK_RUNNERS.get(tool)?.split(" ") ?? [];
  const isName = (word: string): boolean => (tool === "make" ? /^[\w./][\w./-]*$/.test(word) : word === target);
  let at = 0;
  while (at < words.length) {
    const [word = ""] = words.slice(at);
    const idle = verbs.includes(word) || isName(word) ? 1 : idleAt(words, at, tool);
    if (idle === 0) return false;
    at += idle;
  }
  return true;
}

/** Programs with subcommands: they match only with the same subcommand. */
const MANIFOLD = names(
  "cargo go mvn gradle mix make just ruff biome dotnet composer npm pnpm yarn bun turbo nx tox nox hatch rake rails sekisho",
);
/** Interpreters, which run the file named after them. */
const INTERPRETERS = /^(?:node|deno|tsx|ts-node|python[\d.]*|ruby|php|perl|bash|sh|zsh)$/;

function isSameProgram(words: readonly string[], own: readonly string[]): boolean {
  if (words[0] === undefined || words[0] !== own[0]) return false;
  if (INTERPRETERS.test(words[0])) return words[1] === own[1];
  return !MANIFOLD.has(words[0]) || verbOf(words) === verbOf(own);
}

function verbOf(words: readonly string[]): string | undefined {
  const [, ...args] = words;
  return scriptCall(words)?.script ?? args.find((arg) => !arg.startsWith("-"));
}
