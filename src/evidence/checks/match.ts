/** Decides whether a command is a check, wholly or in part, here or in another directory. */

import { names } from "../../lib/name-table.ts";
import type { Step } from "../../reading/shell/proof/state.ts";
import type { Check } from "./check.ts";
import { partsOf, wordsIn } from "./definition.ts";
import { idleAt, isSameRun } from "./flags.ts";
import { leadsAway, programOf, type ScriptCall, scriptCall } from "./spelling.ts";

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

export function likeness({ words, open }: Step, of: Known, root: string): Likeness | undefined {
  const { check, parts } = of;
  const called = asScript(words, of) ?? asTarget(words, check);
  if (called !== undefined) return open && called === "whole" ? "partial" : called;
  const program = programOf(words, root);
  const [only, ...more] = parts;
  if (only && more.length === 0 && !open && isSameRun(program, only)) return "whole";
  return of.programs.some((one) => isSameProgram(program, one)) ? "partial" : undefined;
}

/** True if the step is one complete part of the check. */
export function isPart({ words, open }: Step, part: readonly string[], root: string): boolean {
  return !open && isSameRun(programOf(words, root), part);
}

function asScript(words: readonly string[], { check, parts }: Known): Likeness | undefined {
  if (check.script === undefined) return undefined;
  const call = scriptCall(words);
  if (call?.script !== check.script || isOther(words[0], check)) return undefined;
  if (call.own.some(leadsAway)) return "elsewhere";
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

function asTarget([tool = "", ...words]: readonly string[], { target, command }: Check): Likeness | undefined {
  const [own = ""] = command.split(" ");
  if (target === undefined || (tool === "gmake" ? "make" : tool) !== own || !words.includes(target)) return undefined;
  if (words.some((word) => /^(?:-C|--directory)/.test(word))) return "elsewhere";
  for (let at = 0; at < words.length; ) {
    const idle = idleAt(words, at, own);
    const isTarget = own === "make" ? /^[\w./-]+$/.test(words[at] ?? "") : words[at] === target;
    if (idle === 0 && (!isTarget || words[at]?.startsWith("-"))) return "partial";
    at += Math.max(idle, 1);
  }
  return "whole";
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
