/** Paths by their letters alone: nothing here looks at a disk. */

import { isAbsolute, join, normalize } from "node:path/posix";

/** The absolute path a word means in a directory; undefined when it is relative and the directory is not known. */
export function absolute(path: string, cwd: string | undefined): string | undefined {
  if (isAbsolute(path)) return clean(path);
  return cwd === undefined ? undefined : clean(join(cwd, path));
}

/** Without `.`, `..`, doubled or trailing slashes. */
export function clean(path: string): string {
  const normal = normalize(path).replace(/^\/{2,}/, "/");
  return normal.length > 1 ? normal.replace(/\/+$/, "") : normal;
}

/** True when `inner` is `outer` or lies below it. */
export function within(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

/** `~` and `~/x` as a person writes them in a tool's input. */
export function fromHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

/**
 * The shell's own file patterns: `*`, `?` and `[…]` within one name. A leading dot must be spelled out. What is not
 * understood (`+(…)` and its kin) matches anything in its place, since too much is safer here than too little.
 */
export function shellPattern(pattern: string): RegExp {
  const source = pattern
    // Alternatives and classes by name: anything may stand there, a leading dot too.
    .replace(/[@!?*+]\([^)]*\)/g, "\u0000")
    .replace(/\[\[:\w+:\]\]/g, "?")
    .replace(/\[!?[^\]/]+\]|[*?]+|[\\^$.|+(){}[\]]/g, (found) => translate(found))
    // A pattern at the beginning of a name does not match a dot.
    .replace(/\/(?=\[)/g, "/(?!\\.)")
    .replaceAll("\u0000", "[^/]*");
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // A range that runs backwards: the shell takes it for its letters, and we take it for anything.
    return new RegExp(`^${pattern.replace(/[\\^$.|+(){}]/g, "\\$&").replace(/[*?]|\[.*\]|\[|\]/g, ".*")}$`);
  }
}

function translate(found: string): string {
  if (found.length > 1 && found.startsWith("["))
    return `[${found.slice(1, -1).replace(/^!/, "^").replace(/[\\[]/g, "\\$&")}]`;
  if (/^[*?]+$/.test(found)) return found.includes("*") ? "[^/]*" : "[^/]".repeat(found.length);
  return `\\${found}`;
}
