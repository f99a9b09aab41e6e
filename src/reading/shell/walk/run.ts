/**
 * Reads one command through aliases, functions, wrappers, shells and interpreters down to the command that really runs.
 */

import { absolute } from "../../../lib/paths.ts";
import { interpreterOf } from "../../programs/languages.ts";
import { awk } from "../commands/awk.ts";
import { builtin } from "../commands/builtins.ts";
import { fd, find } from "../commands/find.ts";
import { git } from "../commands/git.ts";
import { interpret, isShell, shell, windowsShell } from "../commands/interpreters.ts";
import { make } from "../commands/make.ts";
import { sed } from "../commands/sed.ts";
import { env, unwrap } from "../commands/wrappers.ts";
import { commandName, literalWord, type Stream, type Unread, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside, SILENT } from "./call.ts";
import { runCarried } from "./carried.ts";
import { ansible, cluster, containerEngine, joined, ssh, watch } from "./elsewhere.ts";
import { withVariableOptions } from "./environment.ts";
import { parallel, xargs } from "./fanout.ts";
import { noteFiles } from "./files.ts";
import { outputOf } from "./output.ts";

export function runCall(call: Call): Stream {
  const [word] = call.argv;
  if (!word) return runBare(call);
  const name = commandName(word);
  return finish(name, call, name === undefined ? emit(call, undefined, wholeUnread(call.argv)) : runNamed(name, call));
}

/** Redirections and assignments alone have effects, recorded under `:`. `$(< file)` is what the file holds. */
function runBare(call: Call): Stream {
  const read = call.redirects.find(({ kind }) => kind === "read");
  if (!read)
    return hasSideWork(call) ? finish(undefined, call, emit({ ...call, argv: [literalWord(":")] }, "")) : SILENT;
  return runCall({
    ...call,
    argv: [literalWord("cat"), read.target],
    redirects: call.redirects.filter((one) => one !== read),
  });
}

/** The whole command is one unknown word such as `$COMMAND`. */
function wholeUnread([word, ...args]: readonly Word[]): Unread | undefined {
  const whole = args.length === 0 && word && /^(?:\$\{?[A-Za-z_]\w*\}?|\u2026)$/.test(word.text);
  return whole ? { text: undefined, from: word.from ?? [] } : undefined;
}

function hasSideWork({ redirects, assignments }: Call): boolean {
  return redirects.length > 0 || assignments.length > 0;
}

function finish(name: string | undefined, call: Call, output: Stream): Stream {
  noteFiles(name, call, output);
  return output;
}

function runNamed(name: string, given: Call): Stream {
  const call = withVariableOptions(name, given);
  const alias = call.scope.aliases.get(name);
  if (alias !== undefined && !call.via.includes(name)) return runAlias(alias, call);
  runCarried(name, call);
  const handled = handlerOf(name)?.(call) ?? unwrap(name, call);
  if (handled) return handled;
  const interpreter = interpreterOf(name);
  if (interpreter) return interpret(interpreter, call);
  return runFile(call) ?? emit(call, printed(name, call));
}

function runAlias(alias: string, call: Call): Stream {
  return call.runner.here(inside(call, []), joined([literalWord(alias), ...argsOf(call)]));
}

/** Handlers for commands that start another command or change the meaning of the rest of the line. */
function handlerOf(name: string): Handler | undefined {
  switch (name) {
    case "env":
      return env;
    case "cmd":
      return windowsShell;
    case "find":
      return find;
    case "fd":
    case "fdfind":
      return fd;
    case "xargs":
      return xargs;
    case "sed":
    case "gsed":
      return sed;
    case "make":
    case "gmake":
      return make;
    case "parallel":
      return parallel;
    case "ssh":
      return ssh;
    case "docker":
    case "podman":
    case "nerdctl":
    case "docker-compose":
      return containerEngine;
    case "kubectl":
    case "oc":
      return cluster;
    case "ansible":
      return ansible;
    case "watch":
      return watch;
    case "git":
      return git;
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return awk;
    default:
      return builtin(name) ?? (isShell(name) ? shell : undefined);
  }
}

/** A script that the same line wrote: its text is read, or marked as unread. */
function runFile(call: Call): Stream | undefined {
  const [word] = call.argv;
  const path = word?.text.includes("/") ? absolute(word.text, call.cwd) : undefined;
  const stream = path === undefined ? undefined : call.scope.files.get(path);
  if (!stream) return undefined;
  if (stream.text === undefined) return emit(call, undefined, stream);
  return call.runner.child(inside(call, []), literalWord(stream.text), argsOf(call));
}

function printed(name: string, call: Call): string | undefined {
  return outputOf({
    name,
    args: argsOf(call),
    stdin: call.stdin,
    cwd: call.cwd,
    fileText: (file: Word) => {
      const path = file.literal ? absolute(file.text, call.cwd) : undefined;
      return path === undefined ? undefined : call.scope.files.get(path)?.text;
    },
  });
}
