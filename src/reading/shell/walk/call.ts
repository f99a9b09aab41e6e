/** A command to be read: its words, its context, and the means to read the commands it starts. */

import { isMixed, isProse, isPutTogether } from "../parse/names.ts";
import {
  commandName,
  hasInvisible,
  type Invocation,
  type Redirect,
  type Stream,
  type Unread,
  type Word,
} from "../parse/reading.ts";
import type { Reader, Scope } from "./scope.ts";

export interface Call {
  readonly argv: readonly Word[];
  readonly scope: Scope;
  readonly cwd: string | undefined;
  readonly via: readonly string[];
  readonly remote: boolean;
  readonly contained: boolean;
  readonly redirects: readonly Redirect[];
  readonly stdin: Stream | undefined;
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly runner: Runner;
}

/** The operations of the walk that wrappers, shells and builtins use. */
export interface Runner {
  readonly reader: Reader;
  /** Reads another command in place of this one. */
  call(call: Call): Stream;
  /** Reads text as a script in a new shell. */
  child(call: Call, script: Word, positional?: readonly Word[]): Stream;
  /** Reads text as a script in the current shell. */
  here(call: Call, script: Word): Stream;
}

/** Handles a call; returns undefined if the call turns out not to be of its kind. */
export type Handler = (call: Call) => Stream | undefined;

export const SILENT: Stream = { text: "", from: [] };

export function argsOf(call: Call): readonly Word[] {
  return call.argv.slice(1);
}

/** The same call with its wrapper stripped. */
export function inside(call: Call, argv: readonly Word[], changes: Partial<Call> = {}): Call {
  const wrapper = call.argv[0]?.text ?? "";
  return { ...call, argv, via: [...call.via, wrapper.replace(/^.*\//, "")], ...changes };
}

/** Records the command and returns the known part of its output. */
export function emit(call: Call, output?: string, runsUnread?: Unread): Stream {
  const { cwd, via, remote, contained, redirects, stdin, assignments } = call;
  const { invocations, unknown } = call.runner.reader;
  const word = call.argv[0];
  if (!word) return SILENT;
  const name = commandName(word);
  const args = argsOf(call);
  const plain = { name, word, args, cwd, via, remote, contained, redirects, stdin, assignments };
  const invocation: Invocation = runsUnread ? { ...plain, runsUnread } : plain;
  invocations.push(invocation);
  if (name === undefined) unknown.add(hasInvisible(word) ? "invisible character" : "command name is not literal");
  else {
    if (isMixed(name) || isPutTogether(word)) unknown.add("disguised name");
    if (isProse(name, args)) unknown.add("no name of a command");
  }
  if (runsUnread) unknown.add("unread text runs in a shell");
  return { text: output, from: stdin ? [...stdin.from.slice(-UPSTREAM_MAX), invocation] : [invocation] };
}

const UPSTREAM_MAX = 16;

/** The output of two commands in sequence. */
export function after(first: Stream, second: Stream): Stream {
  if (first === SILENT) return second;
  const known = first.text !== undefined && second.text !== undefined;
  return {
    text: known ? `${first.text}${second.text}` : undefined,
    from: [...first.from, ...second.from].slice(-ORIGINS_MAX),
  };
}

const ORIGINS_MAX = 32;
