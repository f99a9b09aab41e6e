/** Reads the words and assignments of a simple command, and corrects where the parser differs from the shell. */

import type * as Syntax from "unbash";
import type { Call } from "../walk/call.ts";
import { assign, oneOf, type Scope, type Value } from "../walk/scope.ts";
import { join } from "./fields.ts";
import { literalWord, type Word } from "./reading.ts";
import { type Expansion, expandToOne, expandWords } from "./words.ts";

/** The parser reads `V=<(a) rm x` as the command `<(a)`; the real command follows it. */
export function hidesCommand(node: Syntax.Command): boolean {
  const last = node.prefix[node.prefix.length - 1];
  const substitution = node.name?.parts?.[0]?.type === "ProcessSubstitution";
  return substitution && last?.type === "Assignment" && last.end === node.name?.pos;
}

export function wordsOf(node: Syntax.Command, hidden: boolean, expansion: Expansion): Syntax.Word[] {
  if (hidden && node.name) expandToOne(node.name, expansion);
  const words: Syntax.Word[] = node.name && !hidden ? [node.name] : [];
  for (const arg of node.args) words.push(arg.type === "Word" ? arg : assignmentWord(arg));
  return words;
}

/** `export A=b`: the parser produces an assignment, but the command gets a word. */
function assignmentWord({ name, value, pos, end, text }: Syntax.Assignment): Syntax.Word {
  if (value.type === "ArrayValue") return { type: "Word", text, value: text, pos, end };
  const head = { type: "Literal", value: `${name}=`, text: `${name}=`, pos, end: pos } as const;
  const tail = value.parts ?? [
    { type: "Literal", value: value.value, text: value.text, pos: value.pos, end: value.end } as const,
  ];
  return { type: "Word", text, value: text, pos, end, parts: [head, ...tail] };
}

export function readAssignments(node: Syntax.Command, expansion: Expansion, scope: Scope): Call["assignments"] {
  // `declare -A m=([k]=v)`: a word cannot hold an array, so the array is assigned here.
  for (const arg of node.args) if (arg.type === "Assignment") assignArray(arg, expansion, scope);
  return node.prefix.flatMap((prefix) => {
    if (prefix.type !== "Assignment") return [];
    const { value, name, index } = prefix;
    if (isArray(value)) {
      assignArray(prefix, expansion, scope);
      return [];
    }
    const options = expandToOne(value, expansion);
    if (index) assignElement(prefix, options[0] ?? literalWord(""), expansion, scope);
    else if (!node.name)
      assign(scope, name, prefix.append ? appended(scope.variables.get(name), options) : oneOf(...options));
    return options.map((option) => ({ name, value: option }));
  });
}

function isArray(value: Syntax.Word | Syntax.ArrayValue): value is Syntax.ArrayValue {
  return value.type === "ArrayValue";
}

function assignArray({ name, value, append }: Syntax.Assignment, expansion: Expansion, scope: Scope): void {
  if (!isArray(value)) return;
  const fields = expandWords(value.elements, expansion)[0] ?? [];
  const before = append ? scope.variables.get(name) : undefined;
  const entries = new Map([...(before?.entries ?? []), ...fields.flatMap(namedElement)]);
  const all = [...(before?.fields ?? []), ...(entries.size > 0 ? entries.values() : fields)].slice(0, FIELDS_MAX);
  const first = oneOf(all[0] ?? literalWord(""));
  assign(scope, name, { ...first, fields: all, entries, open: before !== undefined && !before.fields });
}

/** `[key]=value`. */
function namedElement(field: Word): (readonly [string, Word])[] {
  const [, key, text] = /^\[([^\]]*)\]=(.*)$/s.exec(field.text) ?? [];
  return key === undefined || text === undefined ? [] : [[key, field.literal ? literalWord(text) : field]];
}

const FIELDS_MAX = 200;

/** `a[1]=x`: the index is expanded too, and its expansion may run a command. */
function assignElement({ name, index }: Syntax.Assignment, value: Word, expansion: Expansion, scope: Scope): void {
  const key = index && expandToOne(index, expansion)[0];
  const before = scope.variables.get(name);
  const fields = [...(before?.fields ?? before?.options ?? [])];
  const entries = new Map(before?.entries);
  if (key?.literal) entries.set(key.text, value);
  if (key?.literal && name === "BASH_ALIASES") scope.aliases.set(key.text, value.text);
  const at = key?.literal && /^\d{1,3}$/.test(key.text) ? Number(key.text) : fields.length;
  if (at <= fields.length) fields[at] = value;
  else fields.push(value);
  assign(scope, name, { ...oneOf(fields[0] ?? literalWord("")), fields: fields.slice(0, FIELDS_MAX), entries });
}

/** `x+=m`: appends to the known values of the variable. */
function appended(before: Value | undefined, more: readonly Word[]): Value {
  if (!before || before.options.length === 0) return { options: [], open: true };
  const options = before.options.flatMap((left) => more.map((right) => join(left, right)));
  const all = oneOf(...options);
  return { ...all, open: all.open || before.open };
}
