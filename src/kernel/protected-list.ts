/** The list of protected files: `LEVEL:pattern` lines, with patterns as in a `.gitignore`. */
import { ANY_DEPTH, type Name, namesOf } from "./path-meeting.ts";

export type ProtectionLevel = "HARD_BLOCK" | "BLOCK" | "WARN";

export interface ProtectedLine {
  readonly level: ProtectionLevel;
  /** As it was written. */
  readonly pattern: string;
}

/** Where the lists lie in a project. The second is where other frameworks have it. */
export const PROTECTED_LISTS = [".sekisho/protected", ".claude/protected-files.txt"] as const;

/** Holds with and without a list: whoever may edit the list may edit everything. */
export const ALWAYS_PROTECTED: readonly ProtectedLine[] = PROTECTED_LISTS.map((pattern) => ({
  level: "HARD_BLOCK",
  pattern,
}));

const LINES_MAX = 500;

/** A line without a level is BLOCK. One in capitals that we do not know is the strictest: a slip loosens nothing. */
export function readProtectedList(text: string): readonly ProtectedLine[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, LINES_MAX)
    .map((line) => {
      const [, word = "", pattern = ""] = /^([A-Za-z][\w-]*)\s*:\s*(.+)$/.exec(line) ?? [];
      const level = levelOf(word);
      return level ? { level, pattern } : { level: "BLOCK", pattern: line };
    });
}

function levelOf(word: string): ProtectionLevel | undefined {
  const capitals = word.toUpperCase();
  if (capitals === "HARD_BLOCK" || capitals === "BLOCK" || capitals === "WARN") return capitals;
  return word.length > 1 && word === capitals ? "HARD_BLOCK" : undefined;
}

/** A line's pattern below a root, with everything that lies in what it names. */
export interface ProtectedPlace {
  /** A pattern without a slash holds at any depth. */
  readonly everywhere: readonly Name[];
  /** The same as if it began at the root: for what takes whole directories along. */
  readonly atRoot: readonly Name[];
  /** The path itself, where the pattern is one. */
  readonly path: string | undefined;
}

export function protectedPlace(root: string, pattern: string): ProtectedPlace {
  const plain = pattern.replace(/^\.?\/+/, "").replace(/(?:\/+\*\*)?\/*$/, "");
  const isAnchored = /^\.?\//.test(pattern) || plain.includes("/");
  const [base, names] = [namesOf(root, false), namesOf(plain, true)];
  return {
    everywhere: [...base, ...(isAnchored ? [] : [ANY_DEPTH]), ...names, ANY_DEPTH],
    atRoot: [...base, ...names, ANY_DEPTH],
    path: names.some(({ isPattern }) => isPattern) ? undefined : `${root === "/" ? "" : root}/${plain}`,
  };
}
