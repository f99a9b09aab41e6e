/** The words in which an operation is weighed: which kind of work it is, and what is at stake. */
import { within } from "./paths.ts";

/** Kinds of work, in the order in which people are shown them. */
export const DOMAINS = [
  "file_read",
  "file_write",
  "file_write_src",
  "docs_write",
  "test_run",
  "git_read",
  "git_local",
  "git_remote",
  "shell_exec",
  "control",
  "external",
  "_global",
] as const;

export type Domain = (typeof DOMAINS)[number];

export function isDomain(name: string): name is Domain {
  return (DOMAINS as readonly string[]).includes(name);
}

/** The least first. */
export const RISKS = ["low", "medium", "high", "critical"] as const;

export type Risk = (typeof RISKS)[number];

export interface Reach {
  readonly domain: Domain;
  readonly risk: Risk;
  readonly changes: boolean;
  /** All it does is to delete files. */
  readonly deletes?: true;
}

/** Of something that does more than one kind of work. */
export interface WholeReach extends Reach {
  /** Every kind of work in it: none hides behind the one that speaks for the whole. */
  readonly domains: readonly Domain[];
}

/** What could not be read is never low. */
export const UNREAD: Reach = { domain: "shell_exec", risk: "medium", changes: true };

/** Where a file lies decides what writing it means; directories above the project say nothing. */
export function writeDomain(path: string, cwd: string | undefined): Domain {
  const inside = cwd !== undefined && within(path, cwd) ? path.slice(cwd.length) : path;
  const directories = inside.split("/").slice(0, -1);
  if (directories.includes("docs")) return "docs_write";
  return directories.includes("src") ? "file_write_src" : "file_write";
}

const COMPLEXITY: Readonly<Record<Risk, number>> = { low: 0.2, medium: 0.5, high: 0.7, critical: 1 };

/** How involved an operation is taken to be, by its risk; a category of another version counts as the middle. */
export function complexityOf(risk: string): number {
  return Object.hasOwn(COMPLEXITY, risk) ? COMPLEXITY[risk as Risk] : 0.5;
}
