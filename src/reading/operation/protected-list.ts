/** The list of protected files: `LEVEL:pattern` lines, with patterns as in a `.gitignore`. */
import { ANY_DEPTH, type Name, namesOf } from "../../lib/path-meeting.ts";

export type ProtectionLevel = "HARD_BLOCK" | "BLOCK" | "WARN";

export interface ProtectedLine {
  readonly level: ProtectionLevel;
  /** As written in the list. */
  readonly pattern: string;
}

/** Where our own list lies in a project. A host may have another. */
export const PROTECTED_LIST = ".sekisho/protected";

/** What the playbook framework protects besides the host's own files. The state file is a view that we write. */
export const FRAMEWORK_MINIMUM = ["BLOCK:/state.md", "WARN:RUNBOOK.md"];

const LINES_MAX = 500;

/**
 * A line without a level is BLOCK. An unknown level in capitals counts as the strictest, so that a typo loosens
 * nothing.
 */
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

/** A list pattern below a root, including everything inside the named directory. */
export interface ProtectedPlace {
  /** A pattern without a slash applies at any depth. */
  readonly everywhere: readonly Name[];
  /** The same pattern anchored at the root, for commands that affect whole directories. */
  readonly atRoot: readonly Name[];
  /** The path itself, if the pattern has no wildcard. */
  readonly path: string | undefined;
}

export function protectedPlace(root: string, pattern: string): ProtectedPlace {
  const isRooted = pattern.startsWith("/") || pattern.startsWith("./");
  const below = isRooted ? pattern.replace(/^\.?\/+/, "") : pattern;
  const plain = below.endsWith("/") || below.endsWith("/**") ? below.replace(/(?:\/+\*\*)?\/*$/, "") : below;
  const isAnchored = isRooted || plain.includes("/");
  const [base, names] = [namesOf(root, false), namesOf(plain, true)];
  return {
    everywhere: [...base, ...(isAnchored ? [] : [ANY_DEPTH]), ...names, ANY_DEPTH],
    atRoot: [...base, ...names, ANY_DEPTH],
    path: names.some(({ isPattern }) => isPattern) ? undefined : `${root === "/" ? "" : root}/${plain}`,
  };
}
