/** The parser with limits: no input may cost more than a few milliseconds. */

import type * as Syntax from "unbash";
import { parse } from "unbash";
import type { Reader } from "../walk/scope.ts";

export const COMMAND_MAX = 64 * 1024;
const PARSED_MAX = 4 * COMMAND_MAX;
// The parser looks ahead from each of these, so the cost grows quadratically with their number.
const BRACES_MAX = 800;
const HEREDOCS_MAX = 200;
const SUBSTITUTIONS_MAX = 400;

/** The amount of text parsed so far, and the reasons why parts could not be read. */
type Budget = Pick<Reader, "parsed" | "unknown">;

/** Undefined if the text exceeds a limit; the reader then records the reason. */
export function parseBounded(text: string, reader: Budget): Syntax.ParsedScript | undefined {
  reader.parsed += text.length;
  if (text.length > COMMAND_MAX || reader.parsed > PARSED_MAX || isDense(text)) {
    reader.unknown.add("oversized");
    return undefined;
  }
  const script = parse(text);
  noteErrors(script, reader);
  return script;
}

/** Errors of a nested script show up only when it is read. */
export function noteErrors(script: Syntax.ParsedScript, reader: Budget): void {
  if (script.errors && script.errors.length > 0) reader.unknown.add("parse error");
}

function isDense(text: string): boolean {
  // A text this short cannot exceed any of the limits.
  if (text.length <= 2 * HEREDOCS_MAX) return false;
  return (
    exceeds(text, /\{(?=[^\s{}()]*[,{])|\.\./g, BRACES_MAX) ||
    exceeds(text, /<</g, HEREDOCS_MAX) ||
    exceeds(text, /[$<>]\(/g, SUBSTITUTIONS_MAX)
  );
}

function exceeds(text: string, mark: RegExp, enough: number): boolean {
  let found = 0;
  for (const _ of text.matchAll(mark)) {
    found += 1;
    if (found > enough) return true;
  }
  return false;
}
