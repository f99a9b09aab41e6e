/** The kinds of rules for settings. */

import { CHECKS } from "../check-names.ts";
import { problemInRole, ROLES_MAX, roleOf } from "../roles/role.ts";
import { problemInRule, RULES_MAX, ruleOf } from "./evidence-rules.ts";
import { readFormatCommand } from "./format-command.ts";
import { OWN_WORDS_MAX, problemInWord, wordOf } from "./own-words.ts";

export interface Rule {
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
  /** For settings that can loosen protection: whether a value allows more than another. */
  readonly isLooser?: (value: unknown, than: unknown) => boolean;
  /** Layers add to the list; one file cannot remove what another lists. */
  readonly adds?: true;
  /** Checks list entries one by one: an invalid one is rejected and the others are kept. */
  readonly sift?: (value: readonly unknown[], before: readonly unknown[]) => Sifted;
  /**
   * The setting makes Sekisho run programs, so the project's shared file may not set it. `own`: the project's local
   * file may not either, because it may come with a copy of the project.
   */
  readonly personal?: true | "own";
}

interface Sifted {
  readonly kept: readonly unknown[];
  readonly refused: readonly { readonly entry: number; readonly message: string }[];
}

export const within = (min: number, max: number): Rule => ({
  must: `be a whole number from ${min} to ${max}`,
  holds: (value) => typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
});
export const oneOf = (...allowed: readonly unknown[]): Rule => ({
  must: `be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}`,
  holds: (value) => allowed.includes(value),
});
/** Allows one of these values, loosest first. */
export const graded = (...grades: readonly string[]): Rule => ({
  ...oneOf(...grades),
  isLooser: (value, than) => grades.indexOf(String(value)) < grades.indexOf(String(than)),
});
/** A switch that loosens protection when on. */
export const opening = (): Rule => ({
  ...oneOf(true, false),
  isLooser: (value, than) => value === true && than === false,
});

/** A shell command line. A new or changed one counts as looser, so that the person is told about it. */
export const ownCommand = (): Rule => ({
  must: "be one line of at most 500 letters",
  holds: (value) => typeof value === "string" && value.length <= 500 && !/[\r\n\0]/.test(value),
  isLooser: (value, than) => value !== "" && value !== than,
  personal: "own",
});

/** A number, with the direction that loosens protection. */
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
  /** The maximum itself is not allowed. */
  readonly below: boolean;
}

/** A list of names, each of which protects something. */
export const names = (most: number, longest: number): Rule => ({
  must: `be a list of at most ${most} names of at most ${longest} letters`,
  holds: (value) =>
    Array.isArray(value) &&
    value.length <= most &&
    value.every((name) => typeof name === "string" && name !== "" && name.length <= longest),
  isLooser: (value, than) => hasMore(than, value),
});
/** Some of these, each of which adds a requirement. */
export const some = (...allowed: readonly string[]): Rule => ({
  must: `be a list of ${allowed.join(", ")}`,
  holds: (value) => Array.isArray(value) && value.every((entry) => allowed.includes(entry)),
  isLooser: (value, than) => hasMore(than, value),
});

/** A name, or empty. */
export const name = (): Rule => ({
  must: "be a name of at most 80 letters, digits, dashes and colons, or empty",
  holds: (value) => typeof value === "string" && /^[\w:-]{0,80}$/.test(value),
  isLooser: (value, than) => value === "" && than !== "",
});

/** `check=minutes`. */
export const minutes = (...allowed: readonly string[]): Rule => ({
  must: `be a list like "test=30", of ${allowed.join(", ")} and 1 to 1440 minutes`,
  holds: (value) => Array.isArray(value) && value.every((entry) => isMinutes(entry, allowed)),
  // Lists are compared as a whole: any difference counts as looser.
  isLooser: (value, than) => JSON.stringify(value) !== JSON.stringify(than),
});

function isMinutes(entry: unknown, allowed: readonly string[]): boolean {
  const [, check = "", count = ""] = typeof entry === "string" ? (/^(\w+)=(\d{1,4})$/.exec(entry) ?? []) : [];
  return allowed.includes(check) && Number(count) >= 1 && Number(count) <= 1440;
}

/** `role=executor`. Another executor counts as looser, so that the person is told about it. */
export const roles = (): Rule => ({
  must: 'be a list of at most 8 entries like "worker=codex"',
  holds: (value) =>
    Array.isArray(value) &&
    value.length <= 8 &&
    value.every((entry) => /^[\w-]{1,30}=[\w-]{1,30}$/.test(String(entry))),
  isLooser: (value, than) => hasMore(value, than),
});

/** A path on this machine; empty for the one that the host has. */
export const path = (): Rule => ({
  must: "be a path that begins with / or ~/, of at most 500 letters, or empty",
  holds: (value) => typeof value === "string" && /^(?:~?\/[^\0\r\n]{1,498})?$/.test(value),
});
/** A directory in the project. */
export const directory = (): Rule => ({
  must: "be a path in the project, of at most 200 letters and without .., or empty",
  holds: (value) =>
    typeof value === "string" &&
    /^[\w.-]*(?:\/[\w.-]+){0,20}$/.test(value) &&
    value.length <= 200 &&
    !/\.\./.test(value),
});
export const list = (): Rule => ({
  must: "be a list of at most 100 paths or names",
  holds: (value: unknown) =>
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((entry) => typeof entry === "string" && entry.trim() !== "" && entry.length <= 500),
  adds: true,
});

/** The name of a skill, or empty. Replacing a required skill counts as looser, like removing it. */
export const skill = (): Rule => ({
  must: "be the name of a skill, or empty",
  holds: (value) => typeof value === "string" && /^(?:[A-Za-z0-9][\w.:-]{0,79})?$/.test(value),
  isLooser: (value, than) => than !== "" && value !== than,
});

/** File extensions without the dot. */
export const endings = (): Rule => ({
  must: 'be a list of at most 50 endings such as "yaml", in small letters and without the dot',
  holds: (value) =>
    Array.isArray(value) && value.length <= 50 && value.every((one) => /^[a-z0-9_+-]{1,20}$/.test(String(one))),
  adds: true,
});

/** A session is held to its rules only if they are short enough to be stored. */
const HELD_CHARS_MAX = 600;

/** Evidence rules: every layer adds rules, and none replaces a rule of another layer. */
export const evidenceRules = (): Rule => ({
  must: `be a list of at most ${RULES_MAX} rules`,
  holds: (value) => Array.isArray(value) && value.length <= RULES_MAX,
  adds: true,
  isLooser: (value, than) => {
    const missing = (than as readonly unknown[]).map((rule) => JSON.stringify(rule));
    const there = (value as readonly unknown[]).map((rule) => JSON.stringify(rule));
    return missing.join().length <= HELD_CHARS_MAX && missing.some((rule) => !there.includes(rule));
  },
  sift: sifted(problemInRule, ruleOf, RULES_MAX),
});

/** For lists of named maps: the valid entries, and why the others are rejected. */
function sifted(
  problemIn: (value: unknown) => string | undefined,
  read: (value: unknown) => { readonly name: string },
  max: number,
): NonNullable<Rule["sift"]> {
  return (value, before) => {
    const taken = new Set(before.map((one) => read(one).name));
    const kept: unknown[] = [];
    const refused: { entry: number; message: string }[] = [];
    for (const [entry, one] of value.entries()) {
      const problem = problemIn(one) ?? (taken.has(read(one).name) ? "name is taken by another" : undefined);
      if (problem === undefined && before.length + kept.length < max) {
        kept.push(read(one));
        taken.add(read(one).name);
      } else refused.push({ entry, message: problem ?? `there are more than ${max}` });
    }
    return { kept, refused };
  };
}

/** Custom keywords: every layer adds some. */
export const ownWords = (): Rule => ({
  must: `be a list of at most ${OWN_WORDS_MAX} keywords`,
  holds: (value) => Array.isArray(value) && value.length <= OWN_WORDS_MAX,
  adds: true,
  sift: sifted(problemInWord, wordOf, OWN_WORDS_MAX),
});

/** A person's own roles. A role that is left out or changed may allow more. */
export const ownRoles = (): Rule => ({
  must: `be a list of at most ${ROLES_MAX} roles`,
  holds: (value) => Array.isArray(value) && value.length <= ROLES_MAX,
  adds: true,
  isLooser: (value, than) =>
    JSON.stringify(than).length <= HELD_CHARS_MAX && JSON.stringify(value) !== JSON.stringify(than),
  sift: sifted(problemInRole, roleOf, ROLES_MAX),
});

/** Each entry is a check, `=` and its command. A later entry replaces an earlier one of the same check. */
export const checkCommands = (): Rule => ({
  must: `be a list of at most 20 entries like "test=npm test" of at most 300 letters, each for ${CHECKS.join(", ")}`,
  holds: (value) => Array.isArray(value) && value.length <= 20 && value.every(namesCheck),
  isLooser: (value, than) => hasMore(value, than),
  adds: true,
});

function namesCheck(entry: unknown): boolean {
  if (typeof entry !== "string" || entry.length > 300 || entry.includes("\n")) return false;
  const at = entry.indexOf("=");
  return at > 0 && CHECKS.some((name) => name === entry.slice(0, at).trim());
}

export const formatCommands = (): Rule => ({
  must: 'be a list of at most 20 commands like "py=ruff format {file}": endings, a program, its words, and {file} as one of them',
  holds: (value) => Array.isArray(value) && value.length <= 20 && value.every(isFormatCommand),
  personal: true,
});

function isFormatCommand(entry: unknown): boolean {
  return typeof entry === "string" && entry.length <= 300 && readFormatCommand(entry) !== undefined;
}

/** "user" is a synonym of strict. */
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
