/** Domains and risks: the terms in which operations are weighed. */
import { within } from "../../lib/paths.ts";

/** The domains, in display order. */
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

/** Lowest first. */
export const RISKS = ["low", "medium", "high", "critical"] as const;

export type Risk = (typeof RISKS)[number];

/** `beyond`: changes something outside the project or on another machine that can't be undone. `unread`: can't be read. */
export type WorthAsking = "beyond" | "unread";

/** The effect that makes an operation critical or worth asking about. */
export type Because =
  | "secret written"
  | "secret sent"
  | "output sent"
  | "file sent"
  | "mail sent"
  | "network text run"
  | "place deleted"
  | "disk written"
  | "other machine"
  | "service"
  | "program removed"
  | "foreign package"
  | "permissions"
  | "unread";

export interface Reach {
  readonly domain: Domain;
  readonly risk: Risk;
  readonly changes: boolean;
  /** It only deletes files. */
  readonly deletes?: true;
  /** Why a person would want to be asked until trust is earned. */
  readonly worthAsking?: WorthAsking;
  readonly because?: Because;
}

/** A kind of work within an operation, with its own risk. */
export type Part = Pick<Reach, "domain" | "risk" | "worthAsking" | "because">;

/** For an operation that spans several domains. */
export interface WholeReach extends Reach {
  /** All kinds of work in the operation, so that none is hidden by the main one. */
  readonly parts: readonly Part[];
  /** Kinds of work beside those of the parts: what was only looked at on a line that changes something. */
  readonly looks: readonly Domain[];
}

/** An operation that could not be read never has low risk. */
export const UNREAD: Reach = { domain: "shell_exec", risk: "medium", changes: true };

export const UNREADABLE = { worthAsking: "unread", because: "unread" } as const;

/** The location of a file decides its domain; directories above the project do not count. */
export function writeDomain(path: string, cwd: string | undefined): Domain {
  const inside = cwd !== undefined && within(path, cwd) ? path.slice(cwd.length) : path;
  const directories = inside.split("/").slice(0, -1);
  if (directories.includes("docs")) return "docs_write";
  return directories.includes("src") ? "file_write_src" : "file_write";
}

const COMPLEXITY: Readonly<Record<Risk, number>> = { low: 0.2, medium: 0.5, high: 0.7, critical: 1 };

/** The complexity for a risk; unknown risks count as medium. */
export function complexityOf(risk: string): number {
  return Object.hasOwn(COMPLEXITY, risk) ? COMPLEXITY[risk as Risk] : 0.5;
}
