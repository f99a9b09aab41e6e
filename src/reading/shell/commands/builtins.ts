/** Builtins that change the meaning of the rest of the line. */

import { absolute } from "../../../lib/paths.ts";
import { cut, operandStart, optionValue } from "../parse/options.ts";
import { mapfile, printf, read, runSubscript } from "../parse/read.ts";
import { literalWord, type Redirect, type Stream, type Unread, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside, SILENT } from "../walk/call.ts";
import { joined } from "../walk/elsewhere.ts";
import { runAssigned } from "../walk/environment.ts";
import { assign, oneOf } from "../walk/scope.ts";
import { fileStream, isFullyUnknown } from "./interpreters.ts";
import { multiplexer } from "./multiplexers.ts";

const changeDirectory: Handler = (call) => {
  const args = argsOf(call);
  const target = args[operandStart(args, {})];
  const { scope } = call;
  if (!target) scope.cwd = scope.home;
  else if (target.text === "-" || !target.literal || target.glob) scope.cwd = undefined;
  else scope.cwd = absolute(target.text, scope.cwd);
  return emit(call, "");
};

const forgetDirectory: Handler = (call) => {
  call.scope.cwd = undefined;
  return emit(call);
};

/** `export A=b`, `declare -l A=B`: the words are assignments. */
const declare: Handler = (call) => {
  const args = argsOf(call);
  const letters = args.flatMap(({ text }) => /^-(\w+)$/.exec(text)?.[1] ?? []).join("");
  for (const arg of args) {
    runSubscript(arg, call);
    const match = /^([A-Za-z_]\w*)=/.exec(arg.prefix);
    // Arrays were already assigned when the words were read.
    if (match && !arg.text.startsWith("(", match[0].length))
      declareOne(match[1] ?? "", cut(arg, match[0].length), letters, call);
  }
  return emit(call, "");
};

function declareOne(name: string, value: Word, letters: string, call: Call): void {
  if (letters.includes("n")) {
    call.scope.variables.set(name, { options: [], open: true, reference: value.text });
    return;
  }
  runAssigned([{ name, value }], call);
  const { text } = value;
  const cased = letters.includes("l") ? text.toLowerCase() : letters.includes("u") ? text.toUpperCase() : text;
  assign(call.scope, name, oneOf(value.literal ? literalWord(cased) : value));
}

const alias: Handler = (call) => {
  for (const arg of argsOf(call)) {
    const at = arg.prefix.indexOf("=");
    if (at > 0) call.scope.aliases.set(arg.text.slice(0, at), arg.text.slice(at + 1));
  }
  return emit(call, "");
};

const unset: Handler = (call) => {
  for (const { text } of argsOf(call)) {
    call.scope.variables.delete(text);
    call.scope.functions.delete(text);
  }
  return emit(call, "");
};

const evaluatesNames: Handler = (call) => {
  for (const arg of argsOf(call)) runSubscript(arg, call);
  return undefined;
};

/** `enable -f file name` loads a builtin from a file. */
const enable: Handler = (call) =>
  optionValue(argsOf(call), ["-f"]) ? emit(call, "", { text: undefined, from: [], named: true }) : emit(call, "");

/** `hash -p /bin/rm ls`: from here on the name runs that file. */
const hash: Handler = (call) => {
  const args = argsOf(call);
  const path = optionValue(args, ["-p"]);
  const name = args.at(-1);
  if (path?.literal && name) call.scope.aliases.set(name.text, path.text);
  return emit(call, "");
};

const setPositional: Handler = (call) => {
  const args = argsOf(call);
  const dashes = args.findIndex(({ text }) => text === "--");
  const first = args[0]?.text ?? "-";
  if (dashes >= 0) call.scope.positional = args.slice(dashes + 1);
  else if (!/^[-+]/.test(first)) call.scope.positional = args;
  return emit(call, "");
};

const shift: Handler = (call) => {
  const count = Number(argsOf(call)[0]?.text ?? "1");
  if (Number.isInteger(count)) call.scope.positional = call.scope.positional?.slice(count);
  return emit(call, "");
};

const evaluate: Handler = (call) => {
  const args = argsOf(call);
  const words = args[0]?.text === "--" ? args.slice(1) : args;
  if (words.length === 0) return SILENT;
  // The substituted command writes its output to a file although `eval` seems to run that output: mark it as unread.
  const diverted = words.flatMap(({ from = [] }) => from).filter(({ redirects }) => redirects.some(isKept));
  if (diverted.length > 0) emit(call, undefined, { text: undefined, from: diverted });
  return withAssigned(call, () => call.runner.here(inside(call, []), joined(words)));
};

function isKept({ kind, target }: Redirect): boolean {
  return kind !== "read" && !/^(?:\/dev\/null|&?\d)$/.test(target.text);
}

/** `IFS=_ eval …`: the assignment applies only while `eval` runs. */
function withAssigned(call: Call, run: () => Stream): Stream {
  const { variables } = call.scope;
  const before = call.assignments.map(({ name }) => [name, variables.get(name)] as const);
  for (const { name, value } of call.assignments) variables.set(name, oneOf(value));
  const output = run();
  for (const [name, value] of before) {
    if (value) variables.set(name, value);
    else variables.delete(name);
  }
  return output;
}

const source: Handler = (call) => {
  const [file] = argsOf(call);
  if (!file) return emit(call);
  const stream = fileStream(call, file);
  if (!stream) return isFullyUnknown(file) ? emit(call, undefined, unread(file)) : emit(call);
  if (stream.text === undefined) return emit(call, undefined, stream);
  return call.runner.here(inside(call, []), literalWord(stream.text));
};

function unread(word: Word): Unread {
  return { text: undefined, from: word.from ?? [] };
}

const trap: Handler = (call) => {
  const args = argsOf(call);
  const script = args[operandStart(args, {})];
  if (script && args.length > 1 && script.text !== "" && script.text !== "-") {
    call.runner.here(inside(call, []), script);
  }
  return emit(call, "");
};

/** `at` and `batch` run their input later. */
const later: Handler = (call) => {
  const noted = emit(call);
  const stdin = call.stdin;
  if (stdin?.text !== undefined) call.runner.child(inside(call, [], { stdin: undefined }), literalWord(stdin.text));
  return noted;
};

/** `crontab -`: each line has a time (five fields or one word) and a command. */
const crontab: Handler = (call) => {
  const noted = emit(call);
  for (const line of call.stdin?.text?.split("\n").slice(0, CRON_MAX) ?? []) {
    const [, command] = /^\s*(?:@\w+|(?:[\d*/,-]+\s+){4}[\w*/,-]+)\s+(.*)$/.exec(line) ?? [];
    if (command) call.runner.child(inside(call, [], { stdin: undefined }), literalWord(command));
  }
  return noted;
};

const CRON_MAX = 50;

export function builtin(name: string): Handler | undefined {
  switch (name) {
    case "cd":
    case "pushd":
      return changeDirectory;
    case "popd":
      return forgetDirectory;
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      return declare;
    case "alias":
      return alias;
    case "unset":
      return unset;
    case "read":
      return read;
    case "mapfile":
    case "readarray":
      return mapfile;
    case "printf":
      return printf;
    case "let":
    case "test":
    case "[":
      return evaluatesNames;
    case "hash":
      return hash;
    case "enable":
      return enable;
    case "set":
      return setPositional;
    case "shift":
      return shift;
    case "eval":
      return evaluate;
    case "source":
    case ".":
      return source;
    case "trap":
      return trap;
    default:
      return starter(name);
  }
}

/** Not builtins, but they run their input later or in another terminal. */
function starter(name: string): Handler | undefined {
  switch (name) {
    case "at":
    case "batch":
      return later;
    case "crontab":
      return crontab;
    case "tmux":
    case "screen":
      return multiplexer;
    default:
      return undefined;
  }
}
