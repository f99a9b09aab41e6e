/** The state at one point of a shell line: variables, directory, functions, files written so far. */

import type * as Syntax from "unbash";
import type { Invocation, Program, Stream, UnknownReason, Word } from "../parse/reading.ts";

/** A variable may hold one of several words (a loop, a branch); `open` means that it may also hold another value. */
export interface Value {
  readonly options: readonly Word[];
  readonly open: boolean;
  /** The elements of an array. */
  readonly fields?: readonly Word[];
  /** The elements of an associative array, by name. */
  readonly entries?: ReadonlyMap<string, Word>;
  /** `declare -n`: the name of the referenced variable. */
  readonly reference?: string;
}

export interface Scope {
  cwd: string | undefined;
  readonly home: string;
  readonly variables: Map<string, Value>;
  readonly functions: Map<string, Syntax.Function>;
  readonly aliases: Map<string, string>;
  /** Contents of files that the line itself wrote or named (`/dev/fd/…` of a process substitution). */
  readonly files: Map<string, Stream>;
  /** Scripts behind file descriptors: `exec 3> >(sh)`. */
  readonly sinks: Map<string, Syntax.ParsedScript>;
  /** The text contains gaps (`…`): words that another command fills in. */
  readonly gaps: boolean;
  positional: readonly Word[] | undefined;
  /** Inside a branch that may not run: assignments add to the possible values of a variable. */
  maybe: boolean;
  stdin: Stream | undefined;
  /** In the background or in a pipeline, so in a separate process. */
  readonly spawning: boolean;
  readonly via: readonly string[];
  readonly remote: boolean;
  readonly contained: boolean;
}

/** The only mutable part of a reading: the findings and the remaining budget. */
export interface Reader {
  readonly invocations: Invocation[];
  readonly programs: Program[];
  readonly unknown: Set<UnknownReason>;
  readonly defined: { readonly node: Syntax.Function; readonly scope: Scope }[];
  /** Functions that were read because they were called. */
  readonly called: Set<Syntax.Function>;
  /** Functions being read. */
  readonly active: Set<Syntax.Function>;
  /** Texts being read, with their nesting count. */
  readonly texts: Map<string, number>;
  /** Characters passed to the parser so far. */
  parsed: number;
  replicates: boolean;
  depth: number;
  steps: number;
  /** Size of all words of the commands so far. */
  weight: number;
}

const DEPTH_MAX = 24;
const INVOCATIONS_MAX = 2_000;
const STEPS_MAX = 12_000;
const OPTIONS_MAX = 12;
/** A line of a few kilobytes can pass megabytes to its commands, and the policies read all of it. */
const WEIGHT_MAX = 1_000_000;
const WORD_WEIGHT = 128;

export function newReader(): Reader {
  return {
    invocations: [],
    programs: [],
    unknown: new Set(),
    defined: [],
    called: new Set(),
    active: new Set(),
    texts: new Map(),
    parsed: 0,
    replicates: false,
    depth: 0,
    steps: 0,
    weight: 0,
  };
}

export function newScope(cwd: string | undefined, home: string): Scope {
  return {
    cwd,
    home,
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    sinks: new Map(),
    gaps: false,
    // A top-level line has no positional parameters.
    positional: [],
    maybe: false,
    stdin: undefined,
    spawning: false,
    via: [],
    remote: false,
    contained: false,
  };
}

/** A subshell: it sees everything and changes nothing outside, except that written files persist. */
export function fork(scope: Scope, changes: Partial<Scope> = {}): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    functions: new Map(scope.functions),
    aliases: new Map(scope.aliases),
    ...changes,
  };
}

/** Spends one unit of work; false if the budget of the line is used up. */
export function spend(reader: Reader): boolean {
  reader.steps += 1;
  const { steps, invocations, weight } = reader;
  if (steps <= STEPS_MAX && invocations.length < INVOCATIONS_MAX && weight <= WEIGHT_MAX) return true;
  reader.unknown.add("too many commands");
  return false;
}

/** Adds the size of the words to the budget before they are read. */
export function weigh(reader: Reader, words: readonly Word[]): void {
  for (const { text } of words) reader.weight += WORD_WEIGHT + text.length;
}

/** Runs `inside` one level deeper; undefined beyond the depth limit. */
export function deeper<T>(reader: Reader, inside: () => T): T | undefined {
  if (reader.depth >= DEPTH_MAX) {
    reader.unknown.add("too deep");
    return undefined;
  }
  reader.depth += 1;
  const result = inside();
  reader.depth -= 1;
  return result;
}

export function assign(scope: Scope, name: string, value: Value): void {
  const before = scope.variables.get(name);
  if (!scope.maybe) {
    scope.variables.set(name, value);
    return;
  }
  const known = before?.options ?? [];
  const added = value.options.filter((word) => !known.some((each) => each.text === word.text));
  const options = [...known, ...added];
  const open = value.open || (before?.open ?? true) || options.length > OPTIONS_MAX;
  scope.variables.set(name, { ...value, options: options.slice(0, OPTIONS_MAX), open });
}

export function oneOf(...options: readonly Word[]): Value {
  return { options: options.slice(0, OPTIONS_MAX), open: options.length > OPTIONS_MAX };
}

const NODES_MAX = 600;

/** Reads only both ends of an overlong list: padding is used to hide the last command. */
export function ends<T>(nodes: readonly T[], reader: Reader): readonly T[] {
  if (nodes.length <= NODES_MAX) return nodes;
  reader.unknown.add("too many commands");
  return [...nodes.slice(0, NODES_MAX / 4), ...nodes.slice(-NODES_MAX / 4)];
}
