/** Tells what a command checks from its words alone: a known tool, or a task named for its check. */
import { type Names, names } from "../../lib/name-table.ts";
import { CHECKS, type CheckName } from "../../state/check-names.ts";
import { placed } from "./placing.ts";
import { programOf, scriptCall } from "./spelling.ts";
import { TASK_RUNNERS, TOOLS } from "./tools.ts";

export interface Kind {
  readonly checks: readonly CheckName[];
  /** The program, or the task runner. */
  readonly program: string;
  /** The words after the program and its verb, or after the task. */
  readonly args: readonly string[];
  /** The kind is known by the name of a task only. */
  readonly byName: boolean;
  readonly dirs: readonly string[];
  readonly packages: readonly string[];
}

export function kindOf(all: readonly string[], root: string): Kind | undefined {
  const outer = placed(all);
  const inner = placed(programOf(withoutFetching(outer.words), root));
  const found = taskIn(outer.words) ?? toolIn(inner.words) ?? taskIn(inner.words);
  if (!found) return undefined;
  const { dirs = [], ...kind } = found;
  return {
    ...kind,
    dirs: [...outer.dirs, ...inner.dirs, ...dirs],
    packages: [...outer.packages, ...inner.packages],
  };
}

type Found = Omit<Kind, "dirs" | "packages"> & { readonly dirs?: readonly string[] };

/** They download the tool they run, so it is not the project's own. */
function withoutFetching(words: readonly string[]): readonly string[] {
  if (words[0] === "uvx") return words.slice(1);
  return words[0] === "pipx" && words[1] === "run" ? words.slice(2) : words;
}

function taskIn(words: readonly string[]): Found | undefined {
  const [program = ""] = words;
  const call = scriptCall(words);
  const { tasks, passed } = call ? { tasks: [call.script], passed: call.passed } : (tasksOf(words) ?? NO_TASKS);
  const checks = CHECKS.filter((check) => tasks.some((name) => checksNamed(name).includes(check)));
  return checks.length === 0 ? undefined : { checks, program, args: passed, byName: true };
}

interface Tasks {
  readonly tasks: readonly string[];
  readonly passed: readonly string[];
}

const NO_TASKS: Tasks = { tasks: [], passed: [] };

function tasksOf([tool = "", ...rest]: readonly string[]): Tasks | undefined {
  const verbs = TASK_RUNNERS.get(tool)?.split(" ");
  if (!verbs) return undefined;
  const first = rest.findIndex((word) => verbs.includes(word));
  if (first < 0 && !verbs.includes("-")) return undefined;
  const after = first < 0 ? rest : rest.slice(first + 1);
  const end = after.includes("--") ? after.indexOf("--") : after.length;
  const tasks = after.slice(0, end).filter((word) => /^\w[\w.:/-]*$/.test(word));
  return { tasks, passed: after.slice(end + 1) };
}

/** `test:ci`, `unit-test`, `check-types`; `check` alone gathers them. */
function checksNamed(task: string): readonly string[] {
  if (NO_CHECK().test(task)) return [];
  return NAMES().find(([name]) => name.test(task))?.[1] ?? [];
}

const NAMES = (): readonly (readonly [RegExp, readonly CheckName[]])[] => [
  [/^(?:check|checks|ci|verify|validate|qa|pre-?commit|check-all|all)$/, ["lint", "typecheck", "test"]],
  [part("type-?check|check-?types|types|typing|tsc|mypy|pyright"), ["typecheck"]],
  [part("lint|linter|eslint|clippy|ruff|vet|style"), ["lint"]],
  [part("tests?|specs?|unit|integration|e2e|pytest|vitest|jest"), ["test"]],
  [part("build|compile"), ["build"]],
  [part("audit|security"), ["security"]],
];
/** Tasks that change, watch or prepare something. */
const NO_CHECK = (): RegExp => part("watch|fix|update|install|setup|clean|dev|start|serve|ui|debug|docs?");

const part = (names: string): RegExp => new RegExp(`(?:^|[:/._-])(?:${names})(?:$|[:/._-])`);

/** Programs that take several goals, in any order. */
export const GOALS = names("mvn gradle sbt");

const tools = new Map<CheckName, Names>();

function toolsFor(check: CheckName): Names {
  const known = tools.get(check) ?? names(TOOLS.get(check) ?? "");
  tools.set(check, known);
  return known;
}

function toolIn([program = "", ...args]: readonly string[]): Found | undefined {
  const checksOf = (name: string): readonly CheckName[] => CHECKS.filter((check) => toolsFor(check).has(name));
  const verbs = args.filter((arg) => /^[\w:]/.test(arg)).slice(0, GOALS.has(program) ? args.length : 1);
  for (const verb of verbs) {
    // `gradle :app:test` runs the task of one project.
    const [, project = "", task = verb] = /^:?(?:(.+):)?([^:]+)$/.exec(verb) ?? [];
    const checks = checksOf(`${program}:${task}`);
    const dirs = project === "" ? [] : [project.replaceAll(":", "/")];
    if (checks.length > 0) return { checks, program, args: args.filter((arg) => arg !== verb), byName: false, dirs };
  }
  const checks = checksOf(program);
  return checks.length === 0 ? undefined : { checks, program, args, byName: false };
}
