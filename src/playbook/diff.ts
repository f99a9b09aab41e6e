/** What a change really is, from `git diff --unified=0`: per file the lines with words in them, comments left out. */
import { endingOf, fileKind } from "../reading/operation/file-kind.ts";

export interface ChangedFile {
  /** Relative to the work tree; the new name of a renamed file. */
  readonly path: string;
  /** Lines added or taken away that are neither blank nor only a comment. */
  readonly lines: number;
  /** All lines, for people. */
  readonly all: number;
}

/** Formatting is left out by git itself (`--ignore-all-space --ignore-blank-lines`). */
export function changedFiles(diff: string): readonly ChangedFile[] {
  const files: { path: string; lines: number; all: number }[] = [];
  let isInHunk = false;
  for (const line of diff.split("\n")) {
    const [, plain, quoted] = HEAD.exec(line) ?? [];
    const path = plain ?? quoted;
    if (path !== undefined) {
      files.push({ path: unquoted(path), lines: 0, all: 0 });
      isInHunk = false;
    } else if (line.startsWith("@@ ")) isInHunk = true;
    else if (isInHunk && /^[-+]/.test(line)) count(files.at(-1), line.slice(1));
    else if (!isInHunk && line.startsWith("Binary files ")) countBinary(files.at(-1));
  }
  return files;
}

/** The second name, which always ends the line: `diff --git a/x b/x`, or in quotation marks. */
const HEAD = /^diff --git .* (?:b\/([^"]*)|"b\/((?:[^"\\]|\\.)*)")$/;
/** What begins a line that is only a comment, by the ending of the file. */
const COMMENTS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:[cm]?[jt]sx?|go|rs|java|kts?|swift|c|cc|cpp|cxx|hh?|hpp|cs|dart|scala|php|s?css|less|proto|zig)$/,
    /^(?:\/\/|\/\*|\*(?:\s|\/|$))/,
  ],
  [/^(?:py|pyi|sh|bash|zsh|rb|pl|r|ya?ml|toml|ex|exs|nim|tf|mk)$/, /^(?:#(?!!)|"""|''')/],
  [/^(?:sql|lua|hs|elm|ada)$/, /^(?:--|\{-)/],
  [/^(?:html|xml|svg|vue|svelte|astro)$/, /^<!--/],
  [/^(?:clj|cljs|lisp|el|scm|ini)$/, /^;/],
  [/^(?:tex|erl)$/, /^%/],
];

function count(file: { path: string; lines: number; all: number } | undefined, line: string): void {
  if (!file) return;
  const words = line.trim();
  file.all++;
  if (words !== "" && !isComment(words, endingOf(file.path))) file.lines++;
}

/** A list of attributes, or one byte, makes git take code for data. */
function countBinary(file: { path: string; lines: number; all: number } | undefined): void {
  if (!file || fileKind(file.path) !== "code") return;
  file.all++;
  file.lines++;
}

function isComment(words: string, ending: string): boolean {
  return COMMENTS.some(([endings, begins]) => endings.test(ending) && begins.test(words));
}

/** Git writes bytes outside ASCII as octal numbers. */
function unquoted(path: string): string {
  if (!path.includes("\\")) return path;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of path.matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(escaped ?? plain ?? ""));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** A file that was not there before. */
export function newFile(path: string, text: string): ChangedFile {
  const file = { path, lines: 0, all: 0 };
  for (const line of text.split("\n")) count(file, line);
  return { ...file, all: text.endsWith("\n") ? file.all - 1 : file.all };
}

/** The lines with words in them by which two texts of a file differ. */
export function changedLines(path: string, before: string, after: string): number {
  const left = new Map<string, number>();
  for (const line of before.split("\n")) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const added = after.split("\n").filter((line) => {
    const count = left.get(line.trim()) ?? 0;
    if (count > 0) left.set(line.trim(), count - 1);
    return count === 0;
  });
  const removed = [...left].flatMap(([line, count]) => Array.from({ length: count }, () => line));
  const file = { path, lines: 0, all: 0 };
  for (const line of [...added, ...removed]) count(file, line);
  return file.lines;
}
