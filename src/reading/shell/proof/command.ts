/** Walks a simple command: what its exit code proves, and its effect on the commands after it. */
import type * as Syntax from "unbash";
import { names } from "../../../lib/name-table.ts";
import { baseName } from "../../../lib/paths.ts";
import { hidesCommand } from "../parse/assignments.ts";
import { noteErrors } from "../parse/parse.ts";
import { builtin, withOptions } from "./builtins.ts";
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
import { expanded, isHarmless, isLocal, type Said, saidBy } from "./words.ts";
import { type Peeled, peel } from "./wrappers.ts";

/** The parts of the walk that a command needs. */
export interface Walk {
  readText(text: string, standing: ShellState, sight: Sight): PartResult;
  sequence(nodes: readonly Syntax.Statement[], standing: ShellState, sight: Sight): PartResult;
}

export function simpleCommand(node: Syntax.Command, from: ShellState, sight: Sight, walk: Walk): PartResult {
  const standing = afterExpansion([...node.prefix, ...some(node.name), ...node.suffix], from, sight, walk);
  if (hidesCommand(node)) return quiet(spoil(standing, "unread"));
  const assignments = node.prefix.flatMap((one) => (one.type === "Assignment" ? [one] : []));
  if (!node.name) {
    const isOwn =
      sight.isAuthored ||
      assignments.every(({ name, index, value }) => isLocal(name) && !index && value.type === "Word");
    return quiet(isOwn ? standing : spoil(standing, "environment"));
  }
  const said = [node.name, ...node.args].map(saidBy);
  const isSet = !sight.isAuthored && assignments.some(({ name, index }) => !isHarmless(name) || index !== undefined);
  if (isSet && SPECIAL.has(node.name.value)) return quiet(spoil(standing, "environment"));
  const given: Given = { said, writes: writesOf(node.redirects), standing, sight, walk };
  const result = named(isSet ? { ...given, spoiled: spoil(standing, "environment") } : given);
  if (node.redirects.length + node.prefix.length === 0) return result;
  // A failed redirection keeps the command from running, and the shell continues.
  const leaves = result.leaves && endsShell(standing, sight);
  return { ...result, any: either(standing, result.any), leaves };
}

/** Some shells keep assignments made before these builtins. */
const SPECIAL = names(": . break continue eval exec exit export readonly return set shift times trap unset");

const some = (word: Syntax.Word | undefined): Syntax.Word[] => (word ? [word] : []);

interface Given {
  readonly said: readonly Said[];
  readonly writes: readonly string[];
  readonly standing: ShellState;
  /** The standing for this command alone, if assignments before it change the environment. */
  readonly spoiled?: ShellState;
  readonly sight: Sight;
  readonly walk: Walk;
}

/** Commands in substitutions run first. */
export function afterExpansion(
  nodes: readonly Syntax.SyntaxNode[],
  standing: ShellState,
  sight: Sight,
  { sequence }: Pick<Walk, "sequence">,
): ShellState {
  const { scripts, binds } = expanded(nodes);
  for (const script of scripts) {
    noteErrors(script, sight.budget);
    lose(sequence(script.commands, standing, deeper(sight)).proved, "substitution", sight);
  }
  return binds ? spoil(standing, "environment") : standing;
}

const deeper = (sight: Sight): Sight => ({ ...sight, depth: sight.depth + 1 });

function named(given: Given): PartResult {
  const { said, standing, sight, walk } = given;
  const [name] = said;
  // The name may be a builtin, unless it is a path.
  if (name?.open && !name.text.includes("/") && !sight.isAuthored) return quiet(spoil(standing, "environment"));
  const { words, isProgram, why, isHidden } = peeled(given);
  if (isHidden) for (const at of words.keys()) lose([step(given, words.slice(at + 1))], why ?? "unread", sight);
  if (words[0] === "eval") walk.readText(words.slice(1).join(" "), spoil(standing, "environment"), deeper(sight));
  const own = isProgram ? undefined : builtin(said.slice(-words.length), standing, sight);
  if (own || isHidden) return own ?? outcome(given, []);
  const inner = shellText(words, given, why === "environment");
  if (inner) return inner;
  if (why === undefined) return outcome(given, [step(given, words)]);
  lose([step(given, words)], why, sight);
  return outcome(given, []);
}

/** A project may wrap its own commands as it likes. */
function peeled({ said, sight }: Given): Peeled {
  const found = peel(said.map(({ text }) => text));
  return sight.isAuthored ? { words: found.words, isProgram: found.isProgram, isHidden: false } : found;
}

function step({ said, writes, standing }: Given, words: readonly string[]): Step {
  const { cwd, sourced } = standing;
  const open = said.some((word) => word.open);
  return { words, open, cwd, writes, ...(sourced !== undefined && { sourced }) };
}

/** Discards the steps if a name may mean anything by now. */
function outcome({ standing, spoiled, sight }: Given, steps: readonly Step[]): PartResult {
  const why = (spoiled ?? standing).spoiled;
  if (why !== undefined) lose(steps, why, sight);
  return { ...quiet(standing), proved: why === undefined ? steps : [], leaves: endsShell(standing, sight) };
}

const SHELLS = names("sh bash dash zsh ksh");

/** `bash -c '…'`: a new shell, whose exit code is that of the command. */
function shellText(words: readonly string[], given: Given, isSet: boolean): PartResult | undefined {
  const { said, standing, spoiled, sight, walk } = given;
  if (!SHELLS.has(baseName(words[0] ?? ""))) return undefined;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  const text = said.slice(-words.length)[at + 1];
  if (at < 0 || !text || text.open) return undefined;
  const fresh = { ...(spoiled ?? standing), pipefail: false, errexit: false };
  const known = withOptions(optionsBefore(words, at), fresh);
  const inside = known && !isSet ? known : sight.isAuthored ? fresh : spoil(fresh, "environment");
  const { proved, never } = walk.readText(text.text, inside, { ...deeper(sight), guarded: false });
  return { ...outcome(given, proved), never };
}

/** `-ec` means `-e` and `-c`. */
function optionsBefore(words: readonly string[], at: number): readonly string[] {
  const cluster = words[at]?.slice(0, -1) ?? "";
  return [...words.slice(1, at), ...(cluster.length > 1 ? [cluster] : [])];
}

const WRITING = names("> >> >| &> &>> <>");

function writesOf(redirects: readonly Syntax.Redirection[]): readonly string[] {
  return redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && WRITING.has(redirect.operator) && redirect.target ? [redirect.target.value] : [],
  );
}
