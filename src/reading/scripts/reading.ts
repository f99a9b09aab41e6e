/** Turns the text of a script into an operation: shell is parsed like a command, other languages stay program text. */

import { asDebuggerLine } from "../operation/aimed.ts";
import { type Operation, operationOf, singleOperation } from "../operation/operation.ts";
import { interpreterOf } from "../programs/languages.ts";
import { isShell } from "../shell/commands/interpreters.ts";
import type { Program, Word } from "../shell/parse/reading.ts";
import { makeText, packageText } from "./entries.ts";
import type { ScriptRun } from "./run.ts";

/** Undefined if this run would start nothing in the script. */
export function readScript(run: ScriptRun, text: string, home: string): Operation | undefined {
  const { as, path, invocation } = run;
  const place = { cwd: invocation.cwd, home };
  const language = as === "file" ? languageOf(text) : as;
  if (language === "debugger") return shellOperation(asDebuggerLine(invocation.name ?? "gdb", text), place);
  if (language === "shell") return shellOperation(prelude(run) + placed(text, path), place);
  if (language === "package" || language === "make") {
    const lines = language === "make" ? makeText(text, run.entries ?? []) : packageText(text, run.entries ?? []);
    return lines === "" ? undefined : shellOperation(lines, { ...place, cwd: directoryOf(path) });
  }
  // A patch runs nothing.
  return programOperation(language === "patch" ? [] : [{ language, text, literal: true, cwd: place.cwd }]);
}

/** The language by the shebang line; shell if there is none. */
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

/** A file that is not run. */
export function numbersOperation(): Operation {
  return programOperation([]);
}

function programOperation(programs: readonly Program[]): Operation {
  const shell = { invocations: [], programs, unknown: [], replicates: false };
  return { ...singleOperation("exec", "shell_exec", "medium"), shell };
}

/**
 * Assignments and arguments that the line gives to the script. A sourced script without arguments keeps those of its
 * shell.
 */
function prelude({ args, invocation }: ScriptRun): string {
  const told = invocation.assignments.map(({ name, value }) => `${name}=${spelled(value)}\n`);
  const given = args.length > 0 ? [`set -- ${args.map(spelled).join(" ")}\n`] : [];
  return [...told, ...given].join("");
}

/** Quotes a word for the shell; an unknown word stays unknown. */
function spelled({ text, literal }: Word): string {
  return literal ? `'${text.replaceAll("'", `'\\''`)}'` : '"$SEKISHO_UNKNOWN"';
}

/** Replaces the usual expressions by which scripts find their own directory. */
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
