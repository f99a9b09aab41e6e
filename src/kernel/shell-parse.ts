/** The parser behind bounds: no input may cost more than a few milliseconds. */

import type * as Syntax from "unbash";
import { parse } from "unbash";
import type { Reader } from "./shell-scope.ts";

export const COMMAND_MAX = 64 * 1024;
const PARSED_MAX = 4 * COMMAND_MAX;
// The parser looks ahead from each of these, so that many of them cost the square of their number.
const BRACES_MAX = 800;
const HEREDOCS_MAX = 200;
const SUBSTITUTIONS_MAX = 400;

/** How much was parsed already, and what could not be. */
type Budget = Pick<Reader, "parsed" | "unknown">;

/** Undefined when the text is beyond what we are ready to read; the reader then knows why. */
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

/** Errors of a nested script are found only when it is looked into. */
export function noteErrors(script: Syntax.ParsedScript, reader: Budget): void {
  if (script.errors && script.errors.length > 0) reader.unknown.add("parse error");
}

function isDense(text: string): boolean {
  // So few letters hold none of them too often.
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
