/** Paths by their letters alone: nothing here looks at a disk. */

import { posix } from "node:path";

/** The absolute path a word means in a directory; undefined when it is relative and the directory is not known. */
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

/** Nearly every path is clean already, and asking is cheaper than cleaning. */
function isClean(path: string): boolean {
  return path.startsWith("/") && !path.includes("/.") && !path.includes("//") && !path.endsWith("/");
}

/** True when `inner` is `outer` or lies below it. */
export function within(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

/** The last name of a path. */
export function baseName(path: string, suffix?: string): string {
  return posix.basename(path, suffix);
}

/** The directory a path stands in. */
export function directoryOf(path: string): string {
  return posix.dirname(path);
}

/** `~` and `~/x` as a person writes them in a tool's input. */
export function fromHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

/** Whether a path is meant, and nothing else of a regular expression: see below. */
export interface Pattern {
  test(path: string): boolean;
}

/**
 * The shell's own file patterns: `*`, `?` and `[…]` within one name. A leading dot must be spelled out. What is not
 * understood (`+(…)` and its kin) matches anything in its place, since too much is safer here than too little.
 *
 * Matched name by name and without a regular expression for the whole: one of those can be made to think for hours.
 */
export function shellPattern(pattern: string): Pattern {
  const names = pattern
    // Alternatives and classes by name: anything may stand there, a leading dot too.
    .replace(/[@!?*+]\([^)]*\)/g, ANYTHING)
    .replace(/\[\[:\w+:\]\]/g, "?")
    .split("/")
    .map(piecesOf);
  return {
    test: (path) => {
      const parts = path.split("/");
      return parts.length === names.length && parts.every((part, at) => matches(names[at] ?? [], part));
    },
  };
}

const ANYTHING = "\u0000";

/** A letter, a test of one letter, or a gap of any length; `hidden` gaps do not stand for a leading dot. */
type Piece = string | RegExp | { readonly gap: "open" | "hidden" };

function piecesOf(name: string): readonly Piece[] {
  const pieces = name.match(/\[!?[^\]]+\]|\*+|./gs) ?? [];
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
    // A range that runs backwards: the shell takes it for its letters, and we take it for anything.
    return { gap: "open" };
  }
}

/** Goes back to the last gap only, which is enough: earlier ones have nothing to gain from being longer. */
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

/** As a shell is given it. */
export function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
