/** The text of a script as an operation: read like a command where it is shell, kept as a program where it is not. */

import { type Operation, operationOf } from "./operation.ts";
import { makeText, packageText } from "./script-entries.ts";
import type { ScriptRun } from "./script-run.ts";
import { interpreterOf, isShell } from "./shell-interpreters.ts";
import type { Program, Word } from "./shell-reading.ts";

/** Undefined when there is nothing in it that this run would start. */
export function readScript(run: ScriptRun, text: string, home: string): Operation | undefined {
  const { as, path, invocation } = run;
  const place = { cwd: invocation.cwd, home };
  const language = as === "file" ? languageOf(text) : as;
  if (language === "shell") return shellOperation(prelude(run) + placed(text, path), place);
  if (language === "package" || language === "make") {
    const lines = language === "make" ? makeText(text, run.entries ?? []) : packageText(text, run.entries ?? []);
    return lines === "" ? undefined : shellOperation(lines, { ...place, cwd: directoryOf(path) });
  }
  // A patch says what it changes, and runs nothing.
  return programOperation(language === "patch" ? [] : [{ language, text, literal: true, cwd: place.cwd }]);
}

/** By its first line; without one, whoever starts the file takes it for shell. */
function languageOf(text: string): string {
  const [, line = ""] = /^#![ \t]*(.*)/.exec(text) ?? [];
  const words = line.split(/\s+/).map((word) => word.replace(/^.*\//, ""));
  const name = words.find((word) => word !== "" && word !== "env" && !/^-|=/.test(word)) ?? "sh";
  if (isShell(name)) return "shell";
  return interpreterOf(name)?.language ?? (/^(?:tsx|ts-node|deno)$/.test(name) ? "javascript" : name);
}

function shellOperation(command: string, place: Parameters<typeof operationOf>[1]): Operation {
  return operationOf({ kind: "bash", name: "Bash", command, background: false }, place);
}

function programOperation(programs: readonly Program[]): Operation {
  return {
    class: "exec",
    domain: "shell_exec",
    domains: ["shell_exec"],
    risk: "medium",
    complexity: 0.5,
    effects: [],
    shell: { invocations: [], programs, unknown: [], replicates: false },
  };
}

/** What the script is told on the line: its arguments and its environment. A sourced one keeps those of its shell. */
function prelude({ args, invocation }: ScriptRun): string {
  const told = invocation.assignments.map(({ name, value }) => `${name}=${spelled(value)}\n`);
  const given = args.length > 0 ? [`set -- ${args.map(spelled).join(" ")}\n`] : [];
  return [...told, ...given].join("");
}

/** A word as the shell reads it back; what is not known stays unknown. */
function spelled({ text, literal }: Word): string {
  return literal ? `'${text.replaceAll("'", `'\\''`)}'` : '"$SEKISHO_UNKNOWN"';
}

/** Scripts find their own directory in a few well-known ways. */
function placed(text: string, path: string): string {
  const directory = directoryOf(path);
  if (!/^[\w./ @+-]+$/.test(directory)) return text;
  return text.replace(OWN_DIRECTORY, directory);
}

const OWN_DIRECTORY =
  /\$\(\s*dirname\s+(?:--\s+)?["']?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?["']?\s*\)|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g;

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
