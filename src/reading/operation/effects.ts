/** An effect on one path. */

import { absolute } from "../../lib/paths.ts";
import { type Grammar, operandStart } from "../shell/parse/options.ts";
import type { Invocation, Word } from "../shell/parse/reading.ts";

export type EffectKind = "write" | "delete" | "read" | "meta";

export interface Effect {
  readonly kind: EffectKind;
  /** Absolute if the directory is known; for a word that is not literal, only its known beginning. */
  readonly path: string;
  /** The whole path is known. */
  readonly literal: boolean;
  readonly glob: boolean;
  readonly recursive: boolean;
  /** The tool or command that does it. */
  readonly by: string;
  /** The path as written. */
  readonly spelled: string;
  /** On another machine or inside a container. */
  readonly elsewhere: boolean;
  /** A tool replaces the whole content; for a command its words tell. */
  readonly replaces?: true;
  readonly invocation?: Invocation;
}

/** `by` of a file that git's output is written to: git has not made its content, so it is a change like any other. */
export const REDIRECTED = ">";

/** Returns the file effects of a command, judged by its words. */
export type Rule = (invocation: Invocation) => Effect[];

export function operands({ args }: Invocation, grammar: Grammar = {}): Word[] {
  const found: Word[] = [];
  for (let at = operandStart(args, grammar); at < args.length; at = operandStart(args, grammar, at + 1)) {
    if (args[at - 1]?.text === "--") return [...found, ...args.slice(at)];
    const operand = args[at];
    if (operand) found.push(operand);
  }
  return found;
}

/** Devices that discard or only display the text written to them. */
export function isSink({ text }: Word): boolean {
  return text.startsWith("/dev/") && /^\/dev\/(?:null|std(?:out|err|in)|tty|fd\/\d+)$/.test(text);
}

export function effect(invocation: Invocation, kind: EffectKind, word: Word, recursive = false): Effect {
  const known = word.literal ? word.text : word.prefix;
  return {
    kind,
    path: known === "" ? known : (absolute(known, invocation.cwd) ?? known),
    literal: word.literal && (known.startsWith("/") || invocation.cwd !== undefined),
    glob: word.glob,
    recursive,
    by: invocation.name ?? "",
    spelled: word.text,
    elsewhere: invocation.remote || invocation.contained,
    invocation,
  };
}
