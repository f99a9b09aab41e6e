/** Builtins that change what the rest of the line means. */

import { absolute } from "./paths.ts";
import { argsOf, type Call, emit, type Handler, inside, SILENT } from "./shell-call.ts";
import { joined } from "./shell-elsewhere.ts";
import { runAssigned } from "./shell-environment.ts";
import { itemsOf } from "./shell-fanout.ts";
import { fileStream, isFullyUnknown } from "./shell-interpreters.ts";
import { cut, operandStart, optionValue } from "./shell-options.ts";
import { outputOf } from "./shell-output.ts";
import { literalWord, type Stream, type Unread, unknownWord, type Word } from "./shell-reading.ts";
import { assign, oneOf, type Value } from "./shell-scope.ts";

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
    // An array was kept when its words were read.
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

/** `read x <<< text` and `… | read x`: the names get what is known, `-a` and `mapfile` an array of it. */
const read: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call, "");
  const stdin = inputOf(call, args) ?? { text: undefined, from: noted.from };
  const text = stdin.text?.split("\n")[0];
  const array = optionValue(args, ["-a"]);
  if (array) keepArray(call, array, text?.trim().split(/\s+/), stdin);
  const names = args.slice(operandStart(args, { short: "adinNptu" }));
  for (const [index, { text: name }] of names.entries()) {
    const field = text === undefined ? undefined : nthField(text, index, index === names.length - 1);
    const value = field === undefined ? unknownItems(name, stdin) : [literalWord(field)];
    keepRead(call, name, oneOf(...value));
  }
  for (const name of names) runSubscript(name, call);
  return noted;
};

/** A loop reads before its body runs: what the variable held may stay, but it is not without a value. */
function keepRead({ scope }: Call, name: string, value: Value): void {
  const before = scope.maybe ? scope.variables.get(name) : undefined;
  const all = oneOf(...value.options, ...(before?.options ?? []));
  scope.variables.set(name, { ...all, open: all.open || (before?.open ?? false) });
}

/** `find … | while read f`: what it lists is known by where it lies. */
function unknownItems(name: string, stdin: Stream): Word[] {
  const items = itemsOf(stdin, /\n/);
  return items.length > 0 && items.every(({ prefix }) => prefix !== "") ? items : [unknownWord(`$${name}`, stdin.from)];
}

/** The last name takes all that is left. */
function nthField(text: string, index: number, last: boolean): string {
  const [, rest = ""] = new RegExp(`^\\s*(?:\\S+\\s+){${index}}(.*)$`).exec(`${text} `) ?? [];
  return last ? rest.trim() : (rest.split(/\s+/)[0] ?? "");
}

const mapfile: Handler = (call) => {
  const args = argsOf(call);
  const stdin = inputOf(call, args);
  const name = args[operandStart(args, { short: "dnOsuCc" })] ?? literalWord("MAPFILE");
  keepArray(call, name, stdin?.text?.replace(/\n$/, "").split("\n"), stdin);
  const callback = optionValue(args, ["-C"]);
  if (callback) call.runner.child(inside(call, []), callback);
  return emit(call, "");
};

function keepArray(
  call: Call,
  { text: name }: Word,
  texts: readonly string[] | undefined,
  stdin: Stream | undefined,
): void {
  const fields = texts?.slice(0, FIELDS_MAX).map(literalWord);
  const value = oneOf(fields?.[0] ?? unknownWord(`$${name}`, stdin?.from));
  assign(call.scope, name, fields ? { ...value, fields } : value);
}

const FIELDS_MAX = 200;

/** `-u 3` reads from an open number. */
function inputOf(call: Call, args: readonly Word[]): Stream | undefined {
  const number = optionValue(args, ["-u"]);
  return number ? call.scope.files.get(`/dev/fd/${number.text}`) : call.stdin;
}

const printf: Handler = (call) => {
  const [option, name, ...args] = argsOf(call);
  if (option?.text !== "-v" || !name) return undefined;
  const text = outputOf({ name: "printf", args, stdin: undefined, cwd: call.cwd, fileText: () => undefined });
  assign(call.scope, name.text, oneOf(text === undefined ? unknownWord(`$${name.text}`) : literalWord(text)));
  runSubscript(name, call);
  return emit(call, "");
};

/** A name with brackets is evaluated: `test -v 'a[$(command)]'`. */
function runSubscript(name: Word, call: Call): void {
  if (!/\[.*(?:\$\(|`)/s.test(name.text)) return;
  call.runner.child(inside(call, []), literalWord(`: "${name.text.replaceAll('"', '\\"')}"`));
}

const evaluatesNames: Handler = (call) => {
  for (const arg of argsOf(call)) runSubscript(arg, call);
  return undefined;
};

/** `enable -f file name`: a builtin that is loaded from a file. */
const enable: Handler = (call) =>
  optionValue(argsOf(call), ["-f"]) ? emit(call, "", { text: undefined, from: [], named: true }) : emit(call, "");

/** `hash -p /bin/rm ls`: the name stands for that file from now on. */
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
  return withAssigned(call, () => call.runner.here(inside(call, []), joined(words)));
};

/** `IFS=_ eval …`: what is assigned before it counts for its time. */
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

/** `at` and `batch` run what they are given later. */
const later: Handler = (call) => {
  const noted = emit(call);
  const stdin = call.stdin;
  if (stdin?.text !== undefined) call.runner.child(inside(call, [], { stdin: undefined }), literalWord(stdin.text));
  return noted;
};

/** `crontab -`: each line is a time of five fields, or one word, and a command. */
const crontab: Handler = (call) => {
  const noted = emit(call);
  for (const line of call.stdin?.text?.split("\n").slice(0, CRON_MAX) ?? []) {
    const [, command] = /^\s*(?:@\w+|(?:[\d*/,-]+\s+){4}[\w*/,-]+)\s+(.*)$/.exec(line) ?? [];
    if (command) call.runner.child(inside(call, [], { stdin: undefined }), literalWord(command));
  }
  return noted;
};

const CRON_MAX = 50;

/** `tmux new 'command'`, `screen -dm command`: the words that are no options run in a shell. */
const multiplexer: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
  const tmux = /^(?:new(?:-session|-window)?|neww|splitw|split-window|respawn-pane|send-keys|send|run(?:-shell)?)$/;
  const verb = args.findIndex(({ text }) => tmux.test(text));
  const rest = verb < 0 ? args : args.slice(verb + 1);
  const words = rest
    .slice(operandStart(rest, { short: "cefFnstxy" }))
    .filter(({ text }) => text !== "Enter" && text !== "C-m");
  if (words.length > 0 && (verb >= 0 || args[0]?.text.startsWith("-"))) {
    call.runner.child(inside(call, []), joined(words));
  }
  return noted;
};

export const BUILTINS: Readonly<Record<string, Handler>> = {
  cd: changeDirectory,
  pushd: changeDirectory,
  popd: forgetDirectory,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  alias,
  unset,
  read,
  mapfile,
  readarray: mapfile,
  printf,
  let: evaluatesNames,
  test: evaluatesNames,
  "[": evaluatesNames,
  hash,
  enable,
  crontab,
  set: setPositional,
  shift,
  eval: evaluate,
  source,
  ".": source,
  trap,
  at: later,
  batch: later,
  tmux: multiplexer,
  screen: multiplexer,
};
