/** Checks that are tasks of a task runner other than make and just, from a table of runners. */
import type { Check } from "../../evidence/checks/check.ts";
import { commandsOf, type Tasks, taskfileTasks, tomlTasks, toxTasks } from "../../reading/scripts/task-entries.ts";
import type { Tree } from "../machine/project-tree.ts";
import { TARGETS } from "./recipe-checks.ts";

interface TaskFile {
  readonly files: readonly string[];
  /** What a person types before the name of the task. */
  readonly run: string;
  readonly read: (text: string) => Tasks;
}

const MISE_FILES = ["mise.toml", ".mise.toml", "mise/config.toml", ".mise/config.toml", ".config/mise.toml"];
const TASKFILES = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml"];
const inToml = (table: string) => (text: string) => tomlTasks(text, table);

const TASK_FILES: readonly TaskFile[] = [
  { files: MISE_FILES, run: "mise run", read: inToml("tasks") },
  { files: TASKFILES, run: "task", read: taskfileTasks },
  { files: ["pyproject.toml"], run: "poe", read: inToml("tool.poe.tasks") },
  { files: ["pyproject.toml"], run: "pdm run", read: inToml("tool.pdm.scripts") },
  { files: ["pyproject.toml"], run: "hatch run", read: inToml("tool.hatch.envs.default.scripts") },
  { files: ["tox.ini"], run: "tox -e", read: toxTasks },
];

export function taskChecks(tree: Tree): readonly Check[] {
  return [...TASK_FILES.flatMap((one) => checksIn(tree, one)), ...scriptTasks(tree), ...sessions(tree)];
}

function checksIn(tree: Tree, { files, run, read }: TaskFile): readonly Check[] {
  const source = files.find((file) => tree.text(file) !== undefined);
  const tasks = source === undefined ? undefined : read(tree.text(source) ?? "");
  if (source === undefined || !tasks) return [];
  return TARGETS.flatMap(([name, spellings]) => {
    const target = spellings.find((one) => commandsOf(tasks, one).length > 0);
    if (target === undefined) return [];
    const command = run === "tox -e" && target === "test" ? "tox" : `${run} ${target}`;
    return [{ name, command, target, definition: commandsOf(tasks, target).join("\n"), source }];
  });
}

/** mise also runs the scripts in these directories by their name. */
function scriptTasks(tree: Tree): readonly Check[] {
  return TARGETS.flatMap(([name, spellings]): readonly Check[] => {
    const places = spellings.flatMap((one) => SCRIPTS.map((directory) => [one, `${directory}/${one}`] as const));
    const [target, source] = places.find(([, path]) => tree.text(path) !== undefined) ?? [];
    if (target === undefined || source === undefined) return [];
    const command = `mise run ${target}`;
    return [{ name, command, target, definition: command, around: tree.text(source) ?? "", source }];
  });
}

const SCRIPTS = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"];

/** nox's sessions are functions, so they are compared and not read. */
function sessions(tree: Tree): readonly Check[] {
  const text = tree.text("noxfile.py");
  if (text === undefined) return [];
  const names = [...text.matchAll(/^@nox\.session[^\n]*\n(?:@[^\n]*\n)*def (\w+)\(/gm)].flatMap(
    ([, name]) => name ?? [],
  );
  return TARGETS.flatMap(([name, spellings]): readonly Check[] => {
    const target = names.find((one) => spellings.includes(one) || spellings.includes(one.replace(/s$/, "")));
    const command = `nox -s ${target}`;
    return target === undefined
      ? []
      : [{ name, command, target, definition: command, around: text, source: "noxfile.py" }];
  });
}
