/** Extracts the commands of tasks from the files of task runners. Reads only the usual forms; others give no task. */

/** The commands of each task, with those of the tasks that it needs. */
export type Tasks = ReadonlyMap<string, Task>;

interface Task {
  readonly commands: readonly string[];
  readonly needs: readonly string[];
}

const NEEDS_MAX = 40;

/** The commands of a task and of those it needs, in any order. Empty if there is none. */
export function commandsOf(tasks: Tasks, name: string): readonly string[] {
  const open = [name];
  const seen = new Set<string>();
  const commands: string[] = [];
  for (let at = open.shift(); at !== undefined && seen.size < NEEDS_MAX; at = open.shift()) {
    const task = seen.has(at) ? undefined : tasks.get(at);
    seen.add(at);
    if (!task) continue;
    commands.push(...task.commands);
    open.push(...task.needs);
  }
  return commands;
}

/** Tables of a TOML file: `[tasks.test] run = "…"`, and `test = "…"` below `[tasks]`. */
export function tomlTasks(text: string, table: string): Tasks {
  const tasks = new Map<string, Task>();
  for (const [head, body] of tablesOf(text)) {
    if (head === table) for (const [name, value] of pairsIn(body)) add(tasks, name, [["run", value]]);
    else if (head.startsWith(`${table}.`)) add(tasks, unquoted(head.slice(table.length + 1)), pairsIn(body));
  }
  return tasks;
}

function add(tasks: Map<string, Task>, name: string, pairs: readonly (readonly [string, string])[]): void {
  const of = (...keys: readonly string[]): readonly string[] =>
    pairs.flatMap(([key, value]) => (keys.includes(key) ? stringsIn(value) : []));
  tasks.set(name, { commands: of("run", "cmd", "shell", "script"), needs: of("depends", "depends_post", "deps") });
}

function tablesOf(text: string): readonly (readonly [string, string])[] {
  const [, ...parts] = `\n${text}`.split(/\n\s*\[([^[\]\n]+)\][^\n]*/);
  return parts.flatMap((head, at) => (at % 2 === 0 ? [[head.trim(), parts[at + 1] ?? ""] as const] : []));
}

const PAIR = /^[ \t]*("[^"\n]+"|[\w.:-]+)[ \t]*=[ \t]*("""[\s\S]*?"""|'''[\s\S]*?'''|\[[\s\S]*?\]|\{[^\n]*\}|[^\n]*)/gm;

function pairsIn(body: string): readonly (readonly [string, string])[] {
  return [...body.matchAll(PAIR)].map(([, key = "", value = ""]) => [unquoted(key), value] as const);
}

/** The strings of a value: one, a list, or those of a small table `{ cmd = "…" }`. */
function stringsIn(value: string): readonly string[] {
  const found = [...value.matchAll(/"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/g)];
  return found.map(([, a, b, c, d]) => (a ?? b ?? c?.replace(/\\(["\\])/g, "$1") ?? d ?? "").trim());
}

function unquoted(name: string): string {
  return name.trim().replace(/^["']|["']$/g, "");
}

/** `tasks:` of a Taskfile, by its indentation. */
export function taskfileTasks(text: string): Tasks {
  const tasks = new Map<string, Task>();
  const [, body = ""] = /^tasks:[ \t]*\n((?:[ \t]+[^\n]*\n?|\s*\n)*)/m.exec(text) ?? [];
  const [, ...parts] = `\n${body}`.split(/\n {2}(?! )["']?([\w.:-]+)["']?:[ \t]*/);
  for (let at = 0; at + 1 < parts.length; at += 2) tasks.set(parts[at] ?? "", taskIn(parts[at + 1] ?? ""));
  return tasks;
}

/** A task whose failures are ignored passes whatever it does. */
function taskIn(block: string): Task {
  const isIgnored = /^\s*ignore_error:\s*true/m.test(block);
  const lines = block.split("\n").flatMap((line) => /^(?:\s*-|\s*cmd:)\s+(.+)$/.exec(line)?.[1] ?? []);
  const needs = lines.flatMap((line) => /^task:\s*["']?([\w.:-]+)/.exec(line)?.[1] ?? []);
  const listed = /^\s*deps:\s*\[([^\]]*)\]/m.exec(block)?.[1] ?? "";
  const [only = ""] = block.split("\n");
  const commands = [only, ...lines]
    .map((line) => unquoted(line.replace(/^cmd:\s*/, "")))
    .filter((line) => line !== "" && !line.startsWith("task:") && !/^[>|]/.test(line));
  return {
    commands: commands.map((line) => (isIgnored ? `{ ${line} ; } || true` : line)),
    needs: [...needs, ...listed.split(",").map(unquoted)],
  };
}

/** The commands of tox's environments: `test` is the usual one, others are named as in `[testenv:lint]`. */
export function toxTasks(text: string): Tasks {
  const tasks = new Map<string, Task>();
  for (const [head, body] of tablesOf(text)) {
    const [, name = "test"] = /^testenv(?::(.+))?$/.exec(head) ?? [undefined, undefined];
    if (!head.startsWith("testenv")) continue;
    const [, first = "", more = ""] =
      /^commands[ \t]*=[ \t]*([^\n]*)\n?((?:[ \t]+[^\n]*\n?)*)/m.exec(`${body}\n`) ?? [];
    const lines = [first, ...more.split("\n")].map((line) => line.trim()).filter((line) => line !== "");
    const commands = lines.map((line) => (line.startsWith("-") ? `{ ${line.slice(1).trim()} ; } || true` : line));
    tasks.set(name, { commands: commands.map((line) => line.replace(/\{[^}]*\}/g, "").trim()), needs: [] });
  }
  return tasks;
}
