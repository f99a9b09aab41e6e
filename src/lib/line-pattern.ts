/**
 * Estimates which part of a line a regular expression may match: its literal pieces must occur in order. Errs on the
 * side of matching and is always fast; the expression comes from an agent, and running it could hang.
 */

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function mayMatch(pattern: string, line: string): Span | undefined {
  for (const alternative of pattern.split(/\\?\|/)) {
    const found = spanOf(alternative, line);
    if (found) return found;
  }
  return undefined;
}

function spanOf(pattern: string, line: string): Span | undefined {
  const plain = pattern.replace(/\\(\W)/g, "$1");
  const at = plain === "" ? -1 : line.indexOf(plain);
  if (at >= 0) return { from: at, to: at + plain.length };
  // Patterns that match only blank lines, or only the start or end of a line.
  const [, blank, end] = BLANK.exec(pattern) ?? [];
  if (blank === undefined) return piecesSpan(pattern, line);
  const indent = blank === "" ? 0 : line.length - line.trimStart().length;
  if (end === "") return { from: 0, to: indent };
  return line.slice(indent) === "" ? { from: 0, to: line.length } : undefined;
}

const BLANK = /^\^(?:\\?\()?((?:(?:\\s|\[\[:space:\]\]|\[[ \\t]+\]| |\t)[*+]?)*)(?:\\?\))?(\$?)$/;

function piecesSpan(pattern: string, line: string): Span | undefined {
  let [from, to] = [-1, 0];
  for (const piece of piecesOf(pattern)) {
    const next = line.indexOf(piece, to);
    if (next < 0) return undefined;
    if (from < 0) from = next;
    to = next + piece.length;
  }
  const isOpen = from < 0;
  const atEnd = pattern === "$";
  return {
    from: atEnd ? line.length : isOpen || /^\^?\(?\\?\(?\.[*+]/.test(pattern) ? 0 : from,
    to: isOpen || /\.[*+]\??\\?\)?;?\$?$/.test(pattern) ? line.length : to,
  };
}

/** Runs of characters that must occur: no classes, no groups, nothing optional. */
function piecesOf(pattern: string): readonly string[] {
  const tokens = pattern.match(/\\.|\[\^?\]?[^\]]*\]|\{[^}]*\}|./gs) ?? [];
  const pieces: string[] = [""];
  const end = (): void => {
    if (pieces.at(-1) !== "") pieces.push("");
  };
  for (const token of tokens) {
    const letter = literalOf(token);
    const at = pieces.length - 1;
    if (letter !== undefined) pieces[at] += letter;
    else {
      if (/^(?:[*?]|\\\?|\{)/.test(token)) pieces[at] = (pieces[at] ?? "").slice(0, -1);
      end();
    }
  }
  return pieces.filter((piece) => piece !== "");
}

function literalOf(token: string): string | undefined {
  if (token.length === 1) return /[.*+?^$()[\]{}|]/.test(token) ? undefined : token;
  return /^\\[./"'`\\$*^[\]-]$/.test(token) ? token.slice(1) : undefined;
}

/** Replaces the span the pattern may match; back-references in the replacement keep the matched text. */
export function substituted(line: string, pattern: string, replacement: string, everywhere: boolean): string {
  let [done, rest] = ["", line];
  for (let round = 0; round < (everywhere ? ROUNDS_MAX : 1); round += 1) {
    const span = mayMatch(pattern, rest);
    if (!span) break;
    done += rest.slice(0, span.from) + filled(replacement, rest.slice(span.from, span.to));
    rest = rest.slice(span.to);
    if (span.to === 0 || rest === "") break;
  }
  return done + rest;
}

const ROUNDS_MAX = 200;

function filled(replacement: string, matched: string): string {
  return replacement.replace(/\\(.)|\$[&\d]|&/gs, (found, letter?: string) => {
    if (letter === undefined) return matched;
    if (/\d/.test(letter)) return matched;
    return letter === "n" ? "\n" : letter === "t" ? "\t" : found.slice(1);
  });
}
