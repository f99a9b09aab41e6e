/** Something that is wrong with a pipeline, and the line it stands on. */
import type { ProblemRule } from "./rules/rules.ts";

export interface Problem {
  readonly rule: ProblemRule;
  readonly line: number;
  /** The place in the definition: `steps.fix.retry.max`. Empty for the whole file. */
  readonly path: string;
  /** Stands for `{word}` in what the rule says: what was found. */
  readonly word?: string;
  /** Stands for `{more}`: what it was compared with, or what could be meant. */
  readonly more?: string;
}

export type Report = (problem: Problem) => void;

/** Lines of everything that was read, by path. */
export type Lines = ReadonlyMap<string, number>;

/** What stands nearest to a path that the file leaves out. */
export function lineAt(lines: Lines, path: string): number {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return 1;
}

/** As a problem is given by a rule that knows the definition only. */
export interface Complaint extends Omit<Problem, "line"> {}
