/** Builtins that store text in variables. */

import { argsOf, type Call, emit, type Handler, inside } from "../walk/call.ts";
import { itemsOf } from "../walk/fanout.ts";
import { outputOf } from "../walk/output.ts";
import { assign, oneOf, type Value } from "../walk/scope.ts";
import { operandStart, optionValue } from "./options.ts";
import { literalWord, type Stream, unknownWord, type Word } from "./reading.ts";

/** `read x <<< text` and `… | read x`: the names get the known text; `-a` and `mapfile` get an array. */
export const read: Handler = (call) => {
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

/** A loop reads before its body runs: the variable may keep its old value, but is not unset. */
function keepRead({ scope }: Call, name: string, value: Value): void {
  const before = scope.maybe ? scope.variables.get(name) : undefined;
  const all = oneOf(...value.options, ...(before?.options ?? []));
  scope.variables.set(name, { ...all, open: all.open || (before?.open ?? false) });
}

/** `find … | while read f`: the listed paths are known by their directory. */
function unknownItems(name: string, stdin: Stream): Word[] {
  const items = itemsOf(stdin, /\n/);
  return items.length > 0 && items.every(({ prefix }) => prefix !== "") ? items : [unknownWord(`$${name}`, stdin.from)];
}

/** The last name gets the rest of the line. */
function nthField(text: string, index: number, last: boolean): string {
  const [, rest = ""] = new RegExp(`^\\s*(?:\\S+\\s+){${index}}(.*)$`).exec(`${text} `) ?? [];
  return last ? rest.trim() : (rest.split(/\s+/)[0] ?? "");
}

export const mapfile: Handler = (call) => {
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

/** `-u 3` reads from an open file descriptor. */
function inputOf(call: Call, args: readonly Word[]): Stream | undefined {
  const number = optionValue(args, ["-u"]);
  return number ? call.scope.files.get(`/dev/fd/${number.text}`) : call.stdin;
}

export const printf: Handler = (call) => {
  const [option, name, ...args] = argsOf(call);
  if (option?.text !== "-v" || !name) return undefined;
  const text = outputOf({ name: "printf", args, stdin: undefined, cwd: call.cwd, fileText: () => undefined });
  assign(call.scope, name.text, oneOf(text === undefined ? unknownWord(`$${name.text}`) : literalWord(text)));
  runSubscript(name, call);
  return emit(call, "");
};

/** A name with a subscript is evaluated: `test -v 'a[$(command)]'`. */
export function runSubscript(name: Word, call: Call): void {
  if (!/\[.*(?:\$\(|`)/s.test(name.text)) return;
  call.runner.child(inside(call, []), literalWord(`: "${name.text.replaceAll('"', '\\"')}"`));
}
