/** Builtins that change what the rest of the line means. */

import { absolute } from "./paths.ts";
import { argsOf, emit, type Handler, inside, SILENT } from "./shell-call.ts";
import { joined } from "./shell-elsewhere.ts";
import { fileStream, isFullyUnknown } from "./shell-interpreters.ts";
import { cut, operandStart } from "./shell-options.ts";
import { literalWord, type Stream, unknownWord, type Word } from "./shell-reading.ts";
import { assign, oneOf } from "./shell-scope.ts";

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
  const lower = args.some(({ text }) => /^-\w*l/.test(text));
  const upper = args.some(({ text }) => /^-\w*u/.test(text));
  for (const arg of args) {
    const match = /^([A-Za-z_]\w*)=/.exec(arg.prefix);
    if (!match) continue;
    const value = cut(arg, match[0].length);
    const text = lower ? value.text.toLowerCase() : upper ? value.text.toUpperCase() : value.text;
    assign(call.scope, match[1] ?? "", oneOf(value.literal ? literalWord(text) : value));
  }
  return emit(call, "");
};

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

/** `read x <<< text` and `… | read x`: the first name gets what is known, the others stay unknown. */
const read: Handler = (call) => {
  const args = argsOf(call);
  const names = args.slice(operandStart(args, { short: "adinNptu" }));
  const text = call.stdin?.text?.split("\n")[0];
  const fields = names.length > 1 ? text?.split(/\s+/) : text === undefined ? undefined : [text.trim()];
  for (const [index, { text: name }] of names.entries()) {
    const field = fields?.[index];
    const value = field === undefined ? unknownWord(`$${name}`, call.stdin?.from) : literalWord(field);
    assign(call.scope, name, oneOf(value));
  }
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
  return call.runner.here(inside(call, []), joined(words));
};

const source: Handler = (call) => {
  const [file] = argsOf(call);
  if (!file) return emit(call);
  const stream = fileStream(call, file);
  if (!stream) return isFullyUnknown(file) ? emit(call, undefined, unread(file)) : emit(call);
  if (stream.text === undefined) return emit(call, undefined, stream);
  return call.runner.here(inside(call, []), literalWord(stream.text));
};

function unread(word: Word): Stream {
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

/** `at`, `batch` and `crontab -` run what they are given later. */
const later: Handler = (call) => {
  const noted = emit(call);
  const stdin = call.stdin;
  if (stdin?.text !== undefined) call.runner.child(inside(call, [], { stdin: undefined }), literalWord(stdin.text));
  return noted;
};

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
  mapfile: read,
  readarray: read,
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
