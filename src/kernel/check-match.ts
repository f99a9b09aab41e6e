/** Whether a command is a check, all of it or a part, here or in another place. */
import type { Check } from "./check.ts";
import { partsOf, wordsIn } from "./check-definition.ts";
import { idleAt, isSameRun } from "./check-flags.ts";
import { leadsAway, programOf, type ScriptCall, scriptCall } from "./check-spelling.ts";
import { names } from "./name-table.ts";
import type { Step } from "./shell-proof-state.ts";

export type Likeness = "whole" | "partial" | "elsewhere";

/** A check with what its text was read for once. */
export interface Known {
  readonly check: Check;
  /** The programs it is made of; all of them together are the check, where that can be said. */
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

/** Whether the step is one of the check's parts, whole. */
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

/** A script of composer is none of npm's. */
function isOther(manager: string | undefined, { command }: Check): boolean {
  const [own = ""] = command.split(" ");
  const kind = (name: string): string => (name === "composer" || name === "deno" ? name : "node");
  return kind(manager ?? "") !== kind(own);
}

/** What the script is given goes to the last of its commands. */
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

/** Programs that are many: only together with what they are told to do are they the same. */
const MANIFOLD = names(
  "cargo go mvn gradle mix make just ruff biome dotnet composer npm pnpm yarn bun turbo nx tox nox hatch rake rails sekisho",
);
/** They run whatever is named behind them. */
const INTERPRETERS = /^(?:node|deno|tsx|ts-node|python[\d.]*|ruby|php|perl|bash|sh|zsh)$/;

function isSameProgram(words: readonly string[], own: readonly string[]): boolean {
  if (words[0] === undefined || words[0] !== own[0]) return false;
  if (INTERPRETERS.test(words[0])) return words[1] === own[1];
  return !MANIFOLD.has(words[0]) || verbOf(words) === verbOf(own);
}

function verbOf([, ...args]: readonly string[]): string | undefined {
  return args.find((arg) => !arg.startsWith("-"));
}
