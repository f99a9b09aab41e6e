/** The kinds of rules that a setting can have. */

export interface Rule {
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
  /** For settings by which something is opened: whether a value lets more pass than another. */
  readonly isLooser?: (value: unknown, than: unknown) => boolean;
  /** Every layer adds to it: what one file lists, another cannot take back. */
  readonly adds?: true;
  /** Counts in the person's own file only: what comes with a project must not name programs that we run. */
  readonly ownOnly?: true;
}

export const within = (min: number, max: number): Rule => ({
  must: `be a whole number from ${min} to ${max}`,
  holds: (value) => typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
});
export const oneOf = (...allowed: readonly unknown[]): Rule => ({
  must: `be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}`,
  holds: (value) => allowed.includes(value),
});
/** One of these, the loosest first. */
export const graded = (...grades: readonly string[]): Rule => ({
  ...oneOf(...grades),
  isLooser: (value, than) => grades.indexOf(String(value)) < grades.indexOf(String(than)),
});
/** A switch that opens something. */
export const opening = (): Rule => ({
  ...oneOf(true, false),
  isLooser: (value, than) => value === true && than === false,
});

/** A line for the shell. Somebody must be told that it is there: it opens something when it is not what it was. */
export const ownCommand = (): Rule => ({
  must: "be one line of at most 500 letters",
  holds: (value) => typeof value === "string" && value.length <= 500 && !/[\r\n\0]/.test(value),
  isLooser: (value, than) => value !== "" && value !== than,
  ownOnly: true,
});

/** A number, and which way it opens something. */
export const measure = (min: number, max: number, looser: "higher" | "lower", options: Partial<Measure> = {}): Rule => {
  const { whole = false, below = false } = options;
  return {
    must: `be a ${whole ? "whole number" : "number"} from ${min} ${below ? "to below" : "to"} ${max}`,
    holds: (value) =>
      typeof value === "number" &&
      value >= min &&
      (below ? value < max : value <= max) &&
      (!whole || Number.isInteger(value)),
    isLooser: (value, than) => (looser === "higher" ? Number(value) > Number(than) : Number(value) < Number(than)),
  };
};

interface Measure {
  readonly whole: boolean;
  /** The largest is not itself allowed. */
  readonly below: boolean;
}

/** A list of names, each of which keeps something. */
export const names = (most: number, longest: number): Rule => ({
  must: `be a list of at most ${most} names of at most ${longest} letters`,
  holds: (value) =>
    Array.isArray(value) &&
    value.length <= most &&
    value.every((name) => typeof name === "string" && name !== "" && name.length <= longest),
  isLooser: (value, than) => hasMore(than, value),
});
export const list = (): Rule => ({
  must: "be a list of at most 100 paths or names",
  holds: (value: unknown) =>
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((entry) => typeof entry === "string" && entry.trim() !== "" && entry.length <= 500),
  adds: true,
});

/** Of the modes, "user" is another word for strict. */
export const mode = (): Rule => ({
  ...oneOf("strict", "user", "trusted", "admin", "developer"),
  isLooser: isLooserMode,
});

export function hasMore(value: unknown, than: unknown): boolean {
  return (value as readonly string[]).some((entry) => !(than as readonly string[]).includes(entry));
}

const MODES = ["developer", "admin", "trusted", "strict"];

function isLooserMode(value: unknown, than: unknown): boolean {
  const grade = (mode: unknown): number => MODES.indexOf(mode === "user" ? "strict" : String(mode));
  return grade(value) < grade(than);
}
