/** A plan as it is written down. What is really done is in the records; a mark here is only a claim. */

export const DIALECTS = ["sekisho", "v16", "v2", "spec-kit", "kiro", "openspec", "superpowers", "checklist"] as const;

/** Who wrote the format. `checklist`: any Markdown with boxes. */
export type Dialect = (typeof DIALECTS)[number];

export interface Playbook {
  readonly dialect: Dialect;
  readonly title: string;
  /** Written in the file; a playbook without one is known by its path. */
  readonly id?: string;
  readonly what?: string;
  readonly why?: string;
  /** The answers besides what and why that an understanding check gave. */
  readonly context: Readonly<Partial<Record<"who" | "when" | "where" | "how", string>>>;
  readonly done: readonly Sentence[];
  readonly branch?: string;
  /** Blocks of YAML as they are written: version 16 keeps its head there. */
  readonly blocks: readonly string[];
  readonly steps: readonly Step[];
  /** Headings that look like steps and have neither a box nor a field, so that they are none. */
  readonly unboxed?: readonly Pick<Step, "id" | "line">[];
  /** All other words outside the steps, as far as they are no notes. */
  readonly prose?: readonly string[];
  /** Where the parts of the head stand. */
  readonly lines?: Readonly<Partial<Record<"title" | "what" | "why" | "done", number>>>;
  /** Things that keep the file from being read as a plan. */
  readonly faults: readonly Fault[];
}

export interface Sentence {
  readonly words: string;
  readonly line: number;
}

export interface Step {
  /** `1`, `p1`, `T001`, or `s2` for the second part without an id. */
  readonly id: string;
  readonly title: string;
  readonly line: number;
  readonly goal?: string;
  readonly depends: readonly string[];
  readonly executor?: string;
  readonly iterations?: number;
  readonly stance?: string;
  /** Globs of the files that the step may change; empty if it may change any. */
  readonly scope: readonly string[];
  /** What the file says about it. */
  readonly status?: string;
  /** Housekeeping after the last step, which needs no critic. */
  readonly isFinal?: true;
  /** The id that the file gives it, where a step above has the same: each must be known by one of its own. */
  readonly repeats?: string;
  /** Its other words: what a tool's tasks say below their boxes. Without notes. */
  readonly prose?: readonly string[];
  readonly subtasks: readonly Subtask[];
}

/** `doing`: `[-]`. `unknown`: any other mark, which counts as not done. */
export type Mark = "open" | "done" | "doing" | "unknown";

export interface Subtask {
  readonly id: string;
  /** The id stands in the file. */
  readonly named: boolean;
  readonly line: number;
  readonly mark: Mark;
  readonly criterion: string;
  readonly proofs: readonly Proof[];
  readonly depends: readonly string[];
  readonly executor?: string;
  /** It may be worked on beside others. */
  readonly parallel?: true;
  readonly optional?: true;
  readonly validations?: Readonly<Partial<Record<Validation, string>>>;
  /** The time at which somebody says that it was validated. */
  readonly validated?: string;
}

export const VALIDATIONS = ["technical", "consistency", "completeness"] as const;
export type Validation = (typeof VALIDATIONS)[number];

/** A command, and the result that shows the criterion is met. */
export interface Proof {
  readonly run: string;
  readonly expected?: string;
  readonly line: number;
  readonly expectedLine?: number;
}

export interface Fault {
  readonly kind: "conflict" | "fence" | "empty" | "too-long" | "unreadable";
  readonly line: number;
}

export function markOf(mark: string): Mark {
  if (mark === " ") return "open";
  if (mark === "x" || mark === "X") return "done";
  return mark === "-" ? "doing" : "unknown";
}

export function subtasksOf({ steps }: Pick<Playbook, "steps">): readonly Subtask[] {
  return steps.flatMap(({ subtasks }) => subtasks);
}
