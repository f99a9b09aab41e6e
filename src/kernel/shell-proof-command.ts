/** One simple command: what it proves by its exit code, and what it does to those that follow. */
import type * as Syntax from "unbash";
import { names } from "./name-table.ts";
import { baseName } from "./paths.ts";
import { hidesCommand } from "./shell-assignments.ts";
import { noteErrors } from "./shell-parse.ts";
import { builtin, withOptions } from "./shell-proof-builtins.ts";
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
import { expanded, isHarmless, isLocal, type Said, saidBy } from "./shell-proof-words.ts";
import { peel } from "./shell-proof-wrappers.ts";

/** What a command may need of the walk it is met on. */
export interface Walk {
  readText(text: string, standing: Standing, sight: Sight): Outcome;
  sequence(nodes: readonly Syntax.Statement[], standing: Standing, sight: Sight): Outcome;
}

export function simpleCommand(node: Syntax.Command, from: Standing, sight: Sight, walk: Walk): Outcome {
  const standing = afterExpansion([...node.prefix, ...some(node.name), ...node.suffix], from, sight, walk);
  if (hidesCommand(node)) return quiet(spoil(standing, "unread"));
  const assignments = node.prefix.flatMap((one) => (one.type === "Assignment" ? [one] : []));
  if (!node.name) {
    const isOwn = assignments.every(({ name, index, value }) => isLocal(name) && !index && value.type === "Word");
    return quiet(isOwn ? standing : spoil(standing, "environment"));
  }
  const said = [node.name, ...node.args].map(saidBy);
  const isSet = assignments.some(({ name, index }) => !isHarmless(name) || index !== undefined);
  if (isSet && SPECIAL.has(node.name.value)) return quiet(spoil(standing, "environment"));
  const given: Given = { said, writes: writesOf(node.redirects), standing, sight, walk };
  const result = named(isSet ? { ...given, spoiled: spoil(standing, "environment") } : given);
  if (node.redirects.length + node.prefix.length === 0) return result;
  // A redirection that fails keeps the command from running, and the shell lives on.
  const leaves = result.leaves && endsShell(standing, sight);
  return { ...result, any: either(standing, result.any), leaves };
}

/** What is assigned before one of these stays, in some shells. */
const SPECIAL = names(": . break continue eval exec exit export readonly return set shift times trap unset");

const some = (word: Syntax.Word | undefined): Syntax.Word[] => (word ? [word] : []);

interface Given {
  readonly said: readonly Said[];
  readonly writes: readonly string[];
  readonly standing: Standing;
  /** How things stand for this command alone, where assignments before it change them. */
  readonly spoiled?: Standing;
  readonly sight: Sight;
  readonly walk: Walk;
}

/** What is substituted runs first. */
export function afterExpansion(
  nodes: readonly Syntax.SyntaxNode[],
  standing: Standing,
  sight: Sight,
  { sequence }: Pick<Walk, "sequence">,
): Standing {
  const { scripts, binds } = expanded(nodes);
  for (const script of scripts) {
    noteErrors(script, sight.budget);
    lose(sequence(script.commands, standing, deeper(sight)).proved, "substitution", sight);
  }
  return binds ? spoil(standing, "environment") : standing;
}

const deeper = (sight: Sight): Sight => ({ ...sight, depth: sight.depth + 1 });

function named(given: Given): Outcome {
  const { said, standing, sight, walk } = given;
  const [name] = said;
  // It may be a command of the shell itself; a path is none.
  if (name?.open && !name.text.includes("/")) return quiet(spoil(standing, "environment"));
  const { words, isProgram, why, isHidden } = peel(said.map(({ text }) => text));
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

function step({ said, writes, standing }: Given, words: readonly string[]): Step {
  const { cwd, sourced } = standing;
  const open = said.some((word) => word.open);
  return { words, open, cwd, writes, ...(sourced !== undefined && { sourced }) };
}

/** Swallowed where nothing is any longer what it is called. */
function outcome({ standing, spoiled, sight }: Given, steps: readonly Step[]): Outcome {
  const why = (spoiled ?? standing).spoiled;
  if (why !== undefined) lose(steps, why, sight);
  return { ...quiet(standing), proved: why === undefined ? steps : [], leaves: endsShell(standing, sight) };
}

const SHELLS = /^(?:ba|da|z|k)?sh$/;

/** `bash -c '…'`: a shell of its own, whose last word is the command's exit code. */
function shellText(words: readonly string[], given: Given, isSet: boolean): Outcome | undefined {
  const { said, standing, spoiled, sight, walk } = given;
  if (!SHELLS.test(baseName(words[0] ?? ""))) return undefined;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  const text = said.slice(-words.length)[at + 1];
  if (at < 0 || !text || text.open) return undefined;
  const fresh = { ...(spoiled ?? standing), pipefail: false, errexit: false };
  const known = withOptions(optionsBefore(words, at), fresh);
  const inside = known && !isSet ? known : spoil(fresh, "environment");
  const { proved, never } = walk.readText(text.text, inside, { ...deeper(sight), guarded: false });
  return { ...outcome(given, proved), never };
}

/** `-ec` is `-e` and `-c`. */
function optionsBefore(words: readonly string[], at: number): readonly string[] {
  const cluster = words[at]?.slice(0, -1) ?? "";
  return [...words.slice(1, at), ...(cluster.length > 1 ? [cluster] : [])];
}

const WRITING = /^(?:>>?|>\||&>>?|<>)$/;

function writesOf(redirects: readonly Syntax.Redirection[]): readonly string[] {
  return redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && WRITING.test(redirect.operator) && redirect.target ? [redirect.target.value] : [],
  );
}
