/** Command names written as a pattern, or disguised as something else. */

import type * as Syntax from "unbash";
import { shellPattern } from "../../../lib/paths.ts";
import { isPlainName, literalWord, type Word } from "./reading.ts";

/** `/bin/r?`: adds a reading for each guarded command that the pattern matches. */
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
 * Quotes, escapes or expansions inside a name that needs none: `r''m`, `$'\\x72m'`, `s\\u\\do`, `rm${IFS}x`. A fully
 * quoted name, a leading backslash (to bypass an alias) and a path that needs quotes are common and not disguised.
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

/** Adjacent letters that are quoted separately. */
function isBroken(text: string, value: string): boolean {
  if (text === value || !/^[\w./+-]+$/.test(value)) return false;
  const bare = text.replace(/^\\/, "");
  if (bare === value || /^(["'])[^"'\\]*\1$/.test(bare)) return false;
  // A quoted directory before a plain name, or a quoted name after a directory, is not broken.
  return !/^(?:["'][^"'\\]*["']|[\w.~+-]*)(?:\/(?:["'][^"'\\]*["']|[\w.+-]*))*$/.test(bare);
}

/** `r$(printf m)`, `r${x}m`: a name with only a few literal letters. A path or a longer beginning is not disguised. */
function hidesLetters([first, second]: readonly Syntax.WordPart[]): boolean {
  const made =
    second?.type === "CommandExpansion" || second?.type === "ParameterExpansion" || second?.type === "SimpleExpansion";
  return made && first?.type === "Literal" && /^[a-z]{1,3}$/.test(first.value);
}

/** `curl${IFS}x`: the words are separated by an expansion that does not look like a blank. */
export function hidesBlanks(word: Syntax.Word | Syntax.Assignment): boolean {
  const parts = (word.type === "Word" && word.parts) || [];
  return parts.length > 1 && parts.some(({ type, text }) => /Expansion$/.test(type) && /^\$\{?IFS\b/.test(text));
}

/** Latin letters mixed with look-alikes from another script. */
export function isMixed(name: string): boolean {
  if (isPlainName(name)) return false;
  return /[\u0370-\u03ff\u0400-\u052f\uff21-\uff5a]/.test(name) && /[a-z]/i.test(name);
}

/** `command r$(printf m)`: a guarded name that the line prints itself, so that it is not visible. */
export function isPutTogether({ literal, text, from }: Word): boolean {
  if (!literal || !from || !GUARDED.split(" ").includes(text)) return false;
  return from.some(({ name }) => name !== undefined && PRINTERS.test(name));
}

const PRINTERS = /^(?:printf|echo|tr|rev|cut|base64|base32|xxd|od)$/;

/** `Note:`, `Tool output:`, an unquoted `C:\dir\x.bat`, `doc^ker`: text that was not meant for this shell. */
export function isProse(name: string, args: readonly Word[]): boolean {
  if (isPlainName(name)) return false;
  if (/^\w[^/]*:$|^[A-Za-z]:\w|^\w+\^\w/.test(name)) return true;
  return args.at(-1)?.text.endsWith(":") === true && /^[A-Z][a-z]+$/.test(name);
}
