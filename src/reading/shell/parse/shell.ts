/** Reads a shell line: every command that could run, inside any wrapper, and why the reading may be incomplete. */

import { newReader, newScope, type Reader } from "../walk/scope.ts";
import { walkScript, walkUncalled } from "../walk/walk.ts";
import { COMMAND_MAX, parseBounded } from "./parse.ts";
import type { ShellReading } from "./reading.ts";

export interface Place {
  readonly cwd: string | undefined;
  readonly home: string;
}

/** For a line that is too long, this many characters of both ends are still read. */
const ENDS_MAX = 4_096;

/** Recognizes a fork bomb by its text, if the line around it is not valid shell. */
const FORK_BOMB = /([\w:.]+)\s*\(\s*\)\s*\{[^\n]{0,80}\1\s*\|\s*\1\s*&/;

/** `reader` counts the work done; tests pass their own to inspect it. */
export function readShell(command: string, place: Place, reader: Reader = newReader()): ShellReading {
  if (command.includes("\0")) reader.unknown.add("NUL byte");
  const text = plainLines(command).trim();
  if (text.length > COMMAND_MAX) {
    reader.unknown.add("oversized");
    readPart(text.slice(0, ENDS_MAX), place, reader);
    readPart(lastLineOrSegment(text.slice(-ENDS_MAX)), place, reader);
  } else {
    readPart(text, place, reader);
  }
  const { invocations, programs, unknown } = reader;
  const replicates = reader.replicates || (unknown.has("parse error") && FORK_BOMB.test(text.slice(0, ENDS_MAX)));
  return { invocations, programs, unknown: [...unknown], replicates };
}

function plainLines(command: string): string {
  if (!command.includes("\0") && !command.includes("\r") && !command.startsWith("\ufeff")) return command;
  return command
    .replace(/\0/g, "")
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n");
}

function readPart(text: string, place: Place, reader: Reader): void {
  const script = parseBounded(text, reader);
  const scope = newScope(place.cwd, place.home);
  if (!script) return;
  walkScript(script, scope, reader);
  walkUncalled(reader);
}

/** The end of a long line begins mid-word, so reading starts after the first separator. */
function lastLineOrSegment(text: string): string {
  const start = text.search(/[;&|\n]/);
  return start < 0 ? "" : text.slice(start).replace(/^[;&|\s]+/, "");
}
