/** Command names that are spelled as a pattern, or so that a reader takes them for something else. */

import type * as Syntax from "unbash";
import { shellPattern } from "./paths.ts";
import { isPlainName, literalWord, type Word } from "./shell-reading.ts";

/** `/bin/r?`: every command worth guarding that the pattern could stand for; the list itself where there is none. */
export function namesIn(argv: Word[]): Word[][] {
  const word = argv[0];
  if (!word?.glob || !word.literal) return [argv];
  const args = argv.slice(1);
  const base = word.text.replace(/^.*\//, "");
  const pattern = shellPattern(base);
  const names = GUARDED.split(" ")
    .filter((name) => pattern.test(name))
    .slice(0, NAMES_MAX);
  return [argv, ...names.map((name) => [literalWord(name), ...args])];
}

const NAMES_MAX = 4;
const GUARDED =
  "rm dd sh bash git mv cp chmod chown shred find curl wget python3 perl ruby node eval sudo env mkfs kill truncate tee rmdir unlink psql kubectl terraform aws docker";

/**
 * Quotes, escapes or expansions inside a name that needs none of them: `r''m`, `$'\\x72m'`, `s\\u\\do`, `rm${IFS}x`. A name
 * in quotes as a whole, one backslash before it (past an alias) and a path that needs its quotes are everyday.
 */
export function isDisguised({ text, value, parts }: Syntax.Word): boolean {
  if (!parts) return isBroken(text, value);
  if (parts.some(({ type }) => type === "AnsiCQuoted")) return true;
  const end = parts.findIndex((part) => !isKnown(part));
  if (end < 0) return isBroken(text, value);
  const said = parts.slice(0, end);
  return hidesLetters(parts) || isBroken(said.map((part) => part.text).join(""), said.map(spokenBy).join(""));
}

function isKnown(part: Syntax.WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(({ type }) => type === "Literal");
  return part.type === "Literal" || part.type === "SingleQuoted";
}

function spokenBy(part: Syntax.WordPart): string {
  if (part.type === "DoubleQuoted") return part.parts.map(spokenBy).join("");
  return part.type === "Literal" || part.type === "SingleQuoted" ? part.value : part.text;
}

/** Letters next to one another that are quoted apart. */
function isBroken(text: string, value: string): boolean {
  if (text === value || !/^[\w./+-]+$/.test(value)) return false;
  const bare = text.replace(/^\\/, "");
  if (bare === value || /^(["'])[^"'\\]*\1$/.test(bare)) return false;
  // A quoted directory before a plain name, or a quoted name behind a directory: each part is whole.
  return !/^(?:["'][^"'\\]*["']|[\w.~+-]*)(?:\/(?:["'][^"'\\]*["']|[\w.+-]*))*$/.test(bare);
}

/** `r$(printf m)`, `r${x}m`: a name of which only some letters are said. A path, or a longer beginning, is not. */
function hidesLetters([first, second]: readonly Syntax.WordPart[]): boolean {
  const made =
    second?.type === "CommandExpansion" || second?.type === "ParameterExpansion" || second?.type === "SimpleExpansion";
  return made && first?.type === "Literal" && /^[a-z]{1,3}$/.test(first.value);
}

/** `curl${IFS}x`: words that are kept apart by what does not look like it. */
export function hidesBlanks(word: Syntax.Word | Syntax.Assignment): boolean {
  const parts = (word.type === "Word" && word.parts) || [];
  return parts.length > 1 && parts.some(({ type, text }) => /Expansion$/.test(type) && /^\$\{?IFS\b/.test(text));
}

/** Latin letters among those of another script that look like them. */
export function isMixed(name: string): boolean {
  if (isPlainName(name)) return false;
  return /[\u0370-\u03ff\u0400-\u052f\uff21-\uff5a]/.test(name) && /[a-z]/i.test(name);
}

/** `command r$(printf m)`: printed on the line itself, so that a reader does not find it there. */
export function isPutTogether({ literal, text, from }: Word): boolean {
  if (!literal || !from || !GUARDED.split(" ").includes(text)) return false;
  return from.some(({ name }) => name !== undefined && PRINTERS.test(name));
}

const PRINTERS = /^(?:printf|echo|tr|rev|cut|base64|base32|xxd|od)$/;

/** `Note:`, `Tool output:`, `C:\dir\x.bat` without its quotes, `doc^ker`: text that was not meant for this shell. */
export function isProse(name: string, args: readonly Word[]): boolean {
  if (isPlainName(name)) return false;
  if (/^\w[^/]*:$|^[A-Za-z]:\w|^\w+\^\w/.test(name)) return true;
  return args.at(-1)?.text.endsWith(":") === true && /^[A-Z][a-z]+$/.test(name);
}
