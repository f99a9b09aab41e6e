/** Lexical path functions: nothing here touches the disk. */

import { posix } from "node:path";

/** The absolute path of a word in a directory; undefined if the word is relative and the directory unknown. */
export function absolute(path: string, cwd: string | undefined): string | undefined {
  if (path.startsWith("/")) return clean(path);
  return cwd === undefined ? undefined : clean(`${cwd}/${path}`);
}

/** Without `.`, `..`, doubled or trailing slashes. */
export function clean(path: string): string {
  if (isClean(path)) return path;
  const normal = posix.normalize(path).replace(/^\/{2,}/, "/");
  return normal.length > 1 ? normal.replace(/\/+$/, "") : normal;
}

/** Nearly every path is clean already, and checking is cheaper than normalizing. */
function isClean(path: string): boolean {
  return path.startsWith("/") && !path.includes("/.") && !path.includes("//") && !path.endsWith("/");
}

/** True when `inner` is `outer` or lies below it. */
export function within(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

export function baseName(path: string, suffix?: string): string {
  return posix.basename(path, suffix);
}

export function directoryOf(path: string): string {
  return posix.dirname(path);
}

/** Expands `~` and `~/x` in a tool's input. */
export function fromHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

/** The only part of `RegExp` that path patterns offer. */
export interface Pattern {
  test(path: string): boolean;
}

/**
 * Shell file patterns: `*`, `?` and `[…]` within one name. A leading dot must be explicit. Unsupported syntax such as
 * `+(…)` matches anything, since matching too much is safer than matching too little.
 *
 * Matches name by name and not with one regular expression, because backtracking in a single expression could take
 * hours.
 */
export function shellPattern(pattern: string): Pattern {
  // Alternatives match anything, including a leading dot; a named class matches any one character.
  const simple = pattern.includes("(") ? pattern.replace(/[@!?*+]\([^)]*\)/g, ANYTHING) : pattern;
  const known = simple.includes("[[") ? simple.replace(/\[\[:\w+:\]\]/g, "?") : simple;
  const names = known.split("/").map(piecesOf);
  return {
    test: (path) => {
      const parts = path.split("/");
      return parts.length === names.length && parts.every((part, at) => matches(names[at] ?? [], part));
    },
  };
}

const ANYTHING = "\u0000";

/** A character, a test of one character, or a gap of any length. `hidden` gaps do not match a leading dot. */
type Piece = string | RegExp | { readonly gap: "open" | "hidden" };

function piecesOf(name: string): readonly Piece[] {
  const pieces = name.includes("[") ? (name.match(/\[!?[^\]]+\]|./gs) ?? []) : name.split("");
  return pieces.map((piece): Piece => {
    if (piece === ANYTHING) return { gap: "open" };
    if (piece.startsWith("*")) return { gap: "hidden" };
    if (piece === "?") return /./s;
    return piece.length > 1 ? classOf(piece) : piece;
  });
}

function classOf(piece: string): Piece {
  try {
    return new RegExp(`^[${piece.slice(1, -1).replace(/^!/, "^").replace(/[\\[]/g, "\\$&")}]$`);
  } catch {
    // The shell reads a reversed range as its characters; here it matches anything.
    return { gap: "open" };
  }
}

/** Backtracks to the last gap only, since making an earlier gap longer cannot help. */
function matches(pieces: readonly Piece[], name: string): boolean {
  const [first] = pieces;
  if (name.startsWith(".") && first !== undefined && first !== "." && !(isGap(first) && first.gap === "open"))
    return false;
  let [at, piece, gapAt, gapPiece] = [0, 0, 0, -1];
  while (at < name.length) {
    const wanted = pieces[piece];
    if (wanted !== undefined && isGap(wanted)) [gapAt, gapPiece, piece] = [at, piece, piece + 1];
    else if (wanted !== undefined && isLetter(wanted, name.charAt(at))) [at, piece] = [at + 1, piece + 1];
    else if (gapPiece >= 0) [gapAt, at, piece] = [gapAt + 1, gapAt + 1, gapPiece + 1];
    else return false;
  }
  return pieces.slice(piece).every(isGap);
}

function isGap(piece: Piece): piece is { readonly gap: "open" | "hidden" } {
  return typeof piece === "object" && "gap" in piece;
}

function isLetter(piece: Exclude<Piece, { readonly gap: string }>, letter: string): boolean {
  return typeof piece === "string" ? piece === letter : piece.test(letter);
}

/** Quotes a path for a shell. */
export function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
