/** Finds the commands of a line that ran and exited with 0, given that the line did; others are discarded with a reason. */
import type * as Syntax from "unbash";
import { parseBounded } from "../parse/parse.ts";
import type { UnknownReason } from "../parse/reading.ts";
import { afterExpansion, simpleCommand } from "./command.ts";
import {
  either,
  endsShell,
  lose,
  type PartResult,
  quiet,
  type ShellState,
  type Sight,
  type Step,
  spoil,
} from "./state.ts";
import { assigns, isLocal, readBy } from "./words.ts";

export interface Proof {
  readonly conclusive: readonly Step[];
  /** Each with its `why`. */
  readonly swallowed: readonly Step[];
}

interface ProofPlace {
  readonly cwd: string;
  readonly home: string;
  /** The root of the work tree: it exists, so changing to it cannot fail. */
  readonly root: string;
  /**
   * How the line runs. The host evaluates it before `&&`, where `set -e` has no effect. A script has its own shell.
   * Authored text may also set its own variables and use its own wrappers.
   */
  readonly as?: "evaluated" | "script" | "authored";
  /** The shell starts with `pipefail` set. */
  readonly pipefail?: boolean;
}

export function proofOf(line: string, { cwd, home, root, as = "evaluated", pipefail = false }: ProofPlace): Proof {
  const budget = { parsed: 0, unknown: new Set<UnknownReason>() };
  const isAuthored = as === "authored";
  const sight: Sight = { home, root, lost: [], guarded: as === "evaluated", isAuthored, depth: 0, budget };
  const { proved } = readText(line, { cwd, pipefail, errexit: false }, sight);
  if (budget.unknown.size === 0) return { conclusive: proved, swallowed: sight.lost };
  lose(proved, "unread", sight);
  return { conclusive: [], swallowed: sight.lost };
}

/** Reads text that runs in a new shell. */
function readText(text: string, standing: ShellState, sight: Sight): PartResult {
  // Bash first reads `((` as arithmetic, then again as two subshells, and loses their exit codes.
  if (text.includes("((") && /(?<!\$)\(\(/.test(text)) sight.budget.unknown.add("parse error");
  const script = parseBounded(text, sight.budget);
  return script ? sequence(script.commands, standing, sight) : quiet(spoil(standing, "unread"));
}

const DEPTH_MAX = 40;

type Node = Syntax.PipelineNode | Syntax.AndOr | Syntax.Statement | Syntax.CompoundList;

function walk(node: Node, standing: ShellState, above: Sight): PartResult {
  if (above.depth >= DEPTH_MAX) {
    above.budget.unknown.add("too many commands");
    return quiet(spoil(standing, "unread"));
  }
  const sight = { ...above, depth: above.depth + 1 };
  switch (node.type) {
    case "Statement":
      return node.background ? background(node, standing, sight) : walk(node.command, standing, sight);
    case "CompoundList":
      return sequence(node.commands, standing, sight);
    case "Command":
      return simpleCommand(node, standing, sight, { readText, sequence });
    case "Pipeline":
      return pipeline(node, standing, sight);
    case "AndOr":
      return andOr(node, standing, sight);
    case "BraceGroup":
      return sequence(node.body.commands, standing, sight);
    case "Subshell":
      return subshell(node.body.commands, standing, sight);
    case "Redirected":
      return redirected(node, standing, sight);
    default:
      return branching(node, standing, sight);
  }
}

/** In `A; B` only the exit code of B counts, unless a failure of A ends the shell. */
function sequence(nodes: readonly Node[], from: ShellState, sight: Sight): PartResult {
  const proved: Step[] = [];
  let standing = from;
  for (const [at, node] of nodes.entries()) {
    const result = walk(node, standing, sight);
    const isLast = at === nodes.length - 1;
    if (isLast || result.leaves) proved.push(...result.proved);
    else lose(result.proved, "sequence", sight);
    if (isLast) return { ...result, proved };
    standing = result.leaves ? result.ok : result.any;
    if (result.never && result.leaves) {
      const rest = sequence(nodes.slice(at + 1), spoil(standing, "branch"), sight);
      return { proved, ok: rest.any, any: rest.any, never: true, leaves: true };
    }
  }
  return quiet(standing);
}

function background({ command }: Syntax.Statement, standing: ShellState, sight: Sight): PartResult {
  lose(walk(command, standing, sight).proved, "background", sight);
  return quiet(standing);
}

function subshell(nodes: readonly Node[], standing: ShellState, sight: Sight): PartResult {
  const { proved, never } = sequence(nodes, standing, sight);
  return { proved, never, ok: standing, any: standing, leaves: endsShell(standing, sight) };
}

/** If the redirection fails the group does not run, and the shell continues. */
function redirected(node: Syntax.Redirected, standing: ShellState, sight: Sight): PartResult {
  const result = walk(node.command, around(node.redirects, standing, sight), sight);
  return { ...result, any: either(standing, result.any), leaves: result.leaves && endsShell(standing, sight) };
}

function pipeline({ prefixes, commands }: Syntax.Pipeline, standing: ShellState, above: Sight): PartResult {
  const isNegated = prefixes.some(({ type }) => type === "Negation");
  const sight = isNegated ? { ...above, guarded: true } : above;
  const [only, ...more] = commands;
  const result = only && more.length === 0 ? walk(only, standing, sight) : elements(commands, standing, sight);
  if (!isNegated) return result;
  lose(result.proved, "negated", sight);
  return quiet(result.any);
}

/** The last command of a pipeline may run in the shell itself, with unknown effects on it. */
function elements(commands: readonly Syntax.CommandNode[], standing: ShellState, sight: Sight): PartResult {
  const proved: Step[] = [];
  let [after, never] = [standing, false];
  for (const [at, command] of commands.entries()) {
    const result = walk(command, standing, sight);
    const speaks = at === commands.length - 1 || standing.pipefail;
    if (speaks) proved.push(...readBy(commands.slice(at + 1), result.proved));
    else lose(result.proved, "pipe", sight);
    never ||= speaks && result.never;
    if (at === commands.length - 1) after = either(standing, result.any);
  }
  if (after.spoiled === standing.spoiled)
    return { proved, ok: after, any: after, never, leaves: endsShell(standing, sight) };
  // In zsh `a | exit 0` exits the shell itself.
  lose(proved, "branch", sight);
  return quiet(after);
}

function andOr({ commands, operators }: Syntax.AndOr, from: ShellState, sight: Sight): PartResult {
  const inner = (at: number): Sight => (at < commands.length - 1 ? { ...sight, guarded: true } : sight);
  const [first, ...rest] = commands;
  let all = first ? walk(first, from, inner(0)) : quiet(from);
  for (const [at, command] of rest.entries()) {
    const next = operators[at] === "&&" ? and : or;
    all = next(all, command, inner(at + 1));
  }
  return all;
}

function and(left: PartResult, node: Node, sight: Sight): PartResult {
  const right = walk(node, left.ok, sight);
  return {
    proved: [...left.proved, ...right.proved],
    ok: right.ok,
    any: either(left.any, right.any),
    never: left.never || right.never,
    leaves: left.leaves && right.leaves,
  };
}

/** `A || B` proves neither, unless B never exits with 0: then A did. */
function or(left: PartResult, node: Node, sight: Sight): PartResult {
  const right = isBareExit(node) && !left.any.spoiled ? LEAVING(left.any) : walk(node, left.any, sight);
  if (right.never) {
    lose(right.proved, "or", sight);
    const any = right.leaves ? left.ok : either(left.ok, right.any);
    return { ...left, any, leaves: right.leaves };
  }
  lose([...left.proved, ...right.proved], "or", sight);
  const any = either(left.any, right.any);
  return { proved: [], ok: either(left.ok, right.ok), any, never: false, leaves: right.leaves };
}

/** It ends the shell with the exit code of the failed command. */
function isBareExit(node: Node): boolean {
  return node.type === "Command" && node.name?.value === "exit" && node.prefix.length + node.suffix.length === 0;
}

const LEAVING = (standing: ShellState): PartResult => ({ ...quiet(standing), never: true, leaves: true });

type Branching = Exclude<Syntax.CommandNode, Syntax.Command | Syntax.BraceGroup | Syntax.Subshell | Syntax.Redirected>;

/** Bodies that may run never, once or several times. Variables that they assign may affect anything. */
function branching(node: Branching, standing: ShellState, sight: Sight): PartResult {
  switch (node.type) {
    case "If":
      return branch([node.clause, node.then, ...node.elif.flatMap(listsOf), ...some(node.else)], standing, sight);
    case "While":
      return branch([node.clause, node.body], standing, sight);
    case "For":
    case "Select":
      return branch([node.body], bound(node, standing, sight), sight);
    case "ArithmeticFor":
      return branch([node.body], spoil(standing, "environment"), sight);
    case "Case":
      return branch(
        node.items.map(({ body }) => body),
        around([node.word], standing, sight),
        sight,
      );
    case "Function":
      return branch([node.body], spoil(standing, "environment"), sight);
    case "Coproc":
      lose(walk(node.body, standing, sight).proved, "background", sight);
      return quiet(spoil(standing, "environment"));
    case "TestCommand":
      return quiet(around([node.expression], standing, sight));
    case "ArithmeticCommand":
      return quiet(assigns(node.body) ? spoil(standing, "environment") : standing);
  }
}

const listsOf = ({ clause, then }: Syntax.Elif): Syntax.CompoundList[] => [clause, then];
const some = (list: Syntax.CompoundList | undefined): Syntax.CompoundList[] => (list ? [list] : []);

function branch(nodes: readonly Node[], standing: ShellState, sight: Sight): PartResult {
  let after = standing;
  for (const node of nodes) {
    const { proved, any } = walk(node, after, { ...sight, guarded: true });
    lose(proved, "branch", sight);
    after = either(after, any);
  }
  return quiet(after);
}

function bound({ name, wordlist = [] }: Syntax.For | Syntax.Select, standing: ShellState, sight: Sight): ShellState {
  const after = around(wordlist, standing, sight);
  return isLocal(name.value) ? after : spoil(after, "environment");
}

/** The standing after expanding the words around a body. */
function around(nodes: readonly Syntax.SyntaxNode[], standing: ShellState, sight: Sight): ShellState {
  return afterExpansion(nodes, standing, sight, { sequence });
}
