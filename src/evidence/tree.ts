/** A work tree as evidence sees it: its digests, and the checks of its project. */
import type { CheckName } from "../state/check-names.ts";
import type { Definitions, NamedChecks } from "../state/session/checks.ts";
import type { Check } from "./checks/check.ts";

/** Digests of a work tree: of everything, of everything except documents, and of code. */
export interface Digest {
  readonly tree: string;
  readonly files: string;
  readonly code: string;
  /** The code files that differ from an earlier state of the code, if it was asked for and is known. */
  readonly changed?: readonly string[];
}

export interface Unseen {
  readonly unseen: string;
}

/** The work tree of a tool use. */
export interface Workplace {
  readonly root: string;
  /** Computed only if a policy compares it. */
  readonly digest?: Digest | Unseen;
  /** The definitions of its checks, when the session sees the work tree for the first time. */
  readonly definitions?: Definitions;
  /** Other work trees that the tool use may change, always including the one the session began in. */
  readonly beside?: readonly Workplace[];
}

/** A work tree with the checks of its project. */
export interface CheckedTree extends Workplace {
  readonly checks: readonly Check[];
  /** The definition of each check. */
  readonly definitions: Definitions;
  /** Of the changed files those that a check looks at, for checks that don't look at all of them. */
  readonly concerned?: Readonly<Partial<Record<CheckName, readonly string[]>>>;
  /** At the start of a session: the commands that the host's variables name. */
  readonly named?: NamedChecks;
}
