/**
 * Which commands of a line ran and ended with 0, if the line as a whole did. Only what is understood counts: everything
 * else is swallowed, and says why.
 */
import type * as Syntax from "unbash";
import { parseBounded } from "./shell-parse.ts";
import { afterExpansion, simpleCommand } from "./shell-proof-command.ts";
import {
  either,
  endsShell,
  lose,
  type Outcome,
  quiet,
  type Sight,
  type Standing,
  type Step,
  spoil,
} from "./shell-proof-state.ts";
import { assigns, isLocal } from "./shell-proof-words.ts";
import type { UnknownReason } from "./shell-reading.ts";

export interface Proof {
  readonly conclusive: readonly Step[];
  /** Each with its `why`. */
  readonly swallowed: readonly Step[];
}

interface ProofPlace {
  readonly cwd: string;
  readonly home: string;
  /** Of the work tree: it exists, so that going there cannot fail. */
  readonly root: string;
  /**
   * How the line is started. The client evaluates it before `&&`, where `set -e` does nothing; a script has a shell to
   * itself; and what is authored besides sets its own variables and chooses its own wrappers.
   */
  readonly as?: "evaluated" | "script" | "authored";
}

export function proofOf(line: string, { cwd, home, root, as = "evaluated" }: ProofPlace): Proof {
  const budget = { parsed: 0, unknown: new Set<UnknownReason>() };
  const isAuthored = as === "authored";
  const sight: Sight = { home, root, lost: [], guarded: as === "evaluated", isAuthored, depth: 0, budget };
  const { proved } = readText(line, { cwd, pipefail: false, errexit: false }, sight);
  if (budget.unknown.size === 0) return { conclusive: proved, swallowed: sight.lost };
  lose(proved, "unread", sight);
  return { conclusive: [], swallowed: sight.lost };
}

/** Text that a shell of its own runs. */
function readText(text: string, standing: Standing, sight: Sight): Outcome {
  // Bash takes it for arithmetic, reads it again as two subshells, and then loses what they end with.
  if (/(?<!\$)\(\(/.test(text)) sight.budget.unknown.add("parse error");
  const script = parseBounded(text, sight.budget);
  return script ? sequence(script.commands, standing, sight) : quiet(spoil(standing, "unread"));
}

const DEPTH_MAX = 40;

type Node = Syntax.PipelineNode | Syntax.AndOr | Syntax.Statement | Syntax.CompoundList;

function walk(node: Node, standing: Standing, above: Sight): Outcome {
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

/** Of `A; B` only B speaks, unless the shell does not live on after A has failed. */
function sequence(nodes: readonly Node[], from: Standing, sight: Sight): Outcome {
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

function background({ command }: Syntax.Statement, standing: Standing, sight: Sight): Outcome {
  lose(walk(command, standing, sight).proved, "background", sight);
  return quiet(standing);
}

function subshell(nodes: readonly Node[], standing: Standing, sight: Sight): Outcome {
  const { proved, never } = sequence(nodes, standing, sight);
  return { proved, never, ok: standing, any: standing, leaves: endsShell(standing, sight) };
}

/** A redirection that fails leaves the group unread, and the shell alive. */
function redirected(node: Syntax.Redirected, standing: Standing, sight: Sight): Outcome {
  const result = walk(node.command, around(node.redirects, standing, sight), sight);
  return { ...result, any: either(standing, result.any), leaves: result.leaves && endsShell(standing, sight) };
}

function pipeline({ prefixes, commands }: Syntax.Pipeline, standing: Standing, above: Sight): Outcome {
  const isNegated = prefixes.some(({ type }) => type === "Negation");
  const sight = isNegated ? { ...above, guarded: true } : above;
  const [only, ...more] = commands;
  const result = only && more.length === 0 ? walk(only, standing, sight) : elements(commands, standing, sight);
  if (!isNegated) return result;
  lose(result.proved, "negated", sight);
  return quiet(result.any);
}

/** The last one may run in the shell itself; what it does there is then no longer known. */
function elements(commands: readonly Syntax.CommandNode[], standing: Standing, sight: Sight): Outcome {
  const proved: Step[] = [];
  let [after, never] = [standing, false];
  for (const [at, command] of commands.entries()) {
    const result = walk(command, standing, sight);
    const speaks = at === commands.length - 1 || standing.pipefail;
    if (speaks) proved.push(...result.proved);
    else lose(result.proved, "pipe", sight);
    never ||= speaks && result.never;
    if (at === commands.length - 1) after = either(standing, result.any);
  }
  if (after.spoiled === standing.spoiled)
    return { proved, ok: after, any: after, never, leaves: endsShell(standing, sight) };
  // In zsh `a | exit 0` ends the shell itself.
  lose(proved, "branch", sight);
  return quiet(after);
}

function andOr({ commands, operators }: Syntax.AndOr, from: Standing, sight: Sight): Outcome {
  const inner = (at: number): Sight => (at < commands.length - 1 ? { ...sight, guarded: true } : sight);
  const [first, ...rest] = commands;
  let all = first ? walk(first, from, inner(0)) : quiet(from);
  for (const [at, command] of rest.entries()) {
    const next = operators[at] === "&&" ? and : or;
    all = next(all, command, inner(at + 1));
  }
  return all;
}

function and(left: Outcome, node: Node, sight: Sight): Outcome {
  const right = walk(node, left.ok, sight);
  return {
    proved: [...left.proved, ...right.proved],
    ok: right.ok,
    any: either(left.any, right.any),
    never: left.never || right.never,
    leaves: left.leaves && right.leaves,
  };
}

/** `A || B` says nothing of either; where B never ends with 0, it was A. */
function or(left: Outcome, node: Node, sight: Sight): Outcome {
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

/** Behind `||` it ends the shell with the failure that led there. */
function isBareExit(node: Node): boolean {
  return node.type === "Command" && node.name?.value === "exit" && node.prefix.length + node.suffix.length === 0;
}

const LEAVING = (standing: Standing): Outcome => ({ ...quiet(standing), never: true, leaves: true });

type Branching = Exclude<Syntax.CommandNode, Syntax.Command | Syntax.BraceGroup | Syntax.Subshell | Syntax.Redirected>;

/** What may run never, once or often. Names that it binds may be anybody's. */
function branching(node: Branching, standing: Standing, sight: Sight): Outcome {
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

function branch(nodes: readonly Node[], standing: Standing, sight: Sight): Outcome {
  let after = standing;
  for (const node of nodes) {
    const { proved, any } = walk(node, after, { ...sight, guarded: true });
    lose(proved, "branch", sight);
    after = either(after, any);
  }
  return quiet(after);
}

function bound({ name, wordlist = [] }: Syntax.For | Syntax.Select, standing: Standing, sight: Sight): Standing {
  const after = around(wordlist, standing, sight);
  return isLocal(name.value) ? after : spoil(after, "environment");
}

/** What the words around a body run and bind before it. */
function around(nodes: readonly Syntax.SyntaxNode[], standing: Standing, sight: Sight): Standing {
  return afterExpansion(nodes, standing, sight, { sequence });
}
