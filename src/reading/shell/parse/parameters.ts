/** Values of variables and parameters, as far as the line itself defines them. */

import type * as Syntax from "unbash";
import { assign, oneOf, type Scope, type Value } from "../walk/scope.ts";
import { join, LETTERS_MAX } from "./fields.ts";
import { literalWord, unknownWord, type Word } from "./reading.ts";

/** Each entry is one possible expansion, as its fields. */
export type Options = readonly (readonly Word[])[];

const DEFAULT_SEPARATORS = " \t\n";

export function separatorsOf(scope: Scope): string {
  const value = scope.variables.get("IFS");
  if (!value) return DEFAULT_SEPARATORS;
  // If IFS may have several values, words are split at all their separators, since each part may be a command.
  const known = value.options.flatMap(({ literal, text }) => (literal ? [text] : []));
  const uncertain = value.open || known.length < value.options.length;
  return [...known, ...(uncertain ? [DEFAULT_SEPARATORS] : [])].join("");
}

export function simpleOptions(name: string, scope: Scope, quoted: boolean): Options {
  if (name === "@" || name === "*") return [allPositional(name, scope, quoted)];
  return single(lookUp(name, scope), `$${name}`);
}

export function parameterOptions(
  part: Syntax.ParameterExpansionPart,
  scope: Scope,
  operand: (word: Syntax.Word) => Word,
): Options {
  const name = part.parameter;
  const value = part.prefix === "!" ? indirect(name, scope) : lookUp(name, scope);
  if (part.prefix === "#") return [[unknownWord(part.text)]];
  if (part.index) return elements(value, operand(part.index), part);
  if (!part.operation && (name === "@" || name === "*")) return [allPositional(name, scope, true)];
  if (!part.operation) return single(value, part.text);
  if (part.operation.type === "Default") return withDefault(part, value, scope, operand);
  const { operation } = part;
  const options = value.options.map((word) => {
    const text = word.literal ? transform(word.text, operation, operand) : undefined;
    const isKnown = text !== undefined && text.length <= LETTERS_MAX;
    return [isKnown ? literalWord(text) : unknownWord(part.text, word.from)];
  });
  return value.open || options.length === 0 ? [...options, [unknownWord(part.text)]] : options;
}

function single(value: Value, spelling: string): Options {
  const options = value.options.map((word) => [word]);
  return value.open || options.length === 0 ? [...options, [unknownWord(spelling)]] : options;
}

function lookUp(name: string, scope: Scope): Value {
  const known = scope.variables.get(name);
  // Follows one reference only, so that a self-reference ends.
  if (known?.reference !== undefined) return scope.variables.get(known.reference) ?? { options: [], open: true };
  if (known) return known;
  if (/^[1-9]\d*$/.test(name) && scope.positional) {
    return oneOf(scope.positional[Number(name) - 1] ?? literalWord(""));
  }
  const text = wellKnown(name, scope);
  return text === undefined ? { options: [], open: true } : oneOf(literalWord(text));
}

function wellKnown(name: string, scope: Scope): string | undefined {
  if (name === "HOME") return scope.home;
  if (name === "PWD") return scope.cwd;
  if (name === "IFS") return " \t\n";
  // The actual shell does not matter, since all shells are read the same way.
  if (name === "SHELL" || name === "BASH" || name === "0") return "/bin/bash";
  if (name === "#" && scope.positional) return String(scope.positional.length);
  return undefined;
}

function allPositional(name: string, scope: Scope, quoted: boolean): readonly Word[] {
  if (!scope.positional) return [unknownWord(`$${name}`)];
  if (name === "@" || !quoted) return scope.positional;
  const between = literalWord(separatorsOf(scope).charAt(0));
  const [first, ...rest] = scope.positional;
  return [rest.reduce((all, word) => join(join(all, between), word), first ?? literalWord(""))];
}

function indirect(name: string, scope: Scope): Value {
  const pointer = lookUp(name, scope).options[0];
  return pointer?.literal ? lookUp(pointer.text, scope) : { options: [], open: true };
}

function elements(value: Value, index: Word, { text, operation }: Syntax.ParameterExpansionPart): Options {
  const all = index.text === "@" || index.text === "*";
  if (operation) return [(all && sliced(value, operation)) || [unknownWord(text)]];
  if (!value.fields) return single(value, text);
  if (all) return [value.fields];
  const named = value.entries?.get(index.text);
  const field = /^-?\d+$/.test(index.text) ? value.fields.at(Number(index.text)) : undefined;
  return [
    [
      named ??
        field ??
        unknownWord(
          text,
          value.fields.flatMap(({ from }) => from ?? []),
        ),
    ],
  ];
}

/** `${a[@]:1:2}`. */
function sliced({ fields }: Value, operation: Syntax.ParameterOperation): readonly Word[] | undefined {
  if (!fields || operation.type !== "Slice") return undefined;
  const [from, count] = [Number(operation.offset.text), Number(operation.length?.text ?? fields.length)];
  return Number.isInteger(from) && Number.isInteger(count) ? fields.slice(from).slice(0, count) : undefined;
}

function withDefault(
  part: Syntax.ParameterExpansionPart,
  value: Value,
  scope: Scope,
  operand: (word: Syntax.Word) => Word,
): Options {
  const { operation } = part;
  if (operation?.type !== "Default") return [[unknownWord(part.text)]];
  const other = operand(operation.operand);
  const kind = operation.operator.replace(":", "");
  if (kind === "?") return single(value, part.text);
  if (kind === "=" && value.open) assign(scope, part.parameter, { options: [...value.options, other], open: true });
  if (kind === "+") return value.open ? [[other], [literalWord("")]] : [[other]];
  const set = value.options.filter((word) => word.text !== "" || !operation.operator.startsWith(":"));
  const options = set.map((word) => [word]);
  return value.open ? [...options, [other], [unknownWord(part.text)]] : options.length > 0 ? options : [[other]];
}

function transform(
  text: string,
  operation: Syntax.ParameterOperation,
  operand: (word: Syntax.Word) => Word,
): string | undefined {
  switch (operation.type) {
    case "CaseModification":
      return changeCase(text, operation.operator);
    case "Slice":
      return slice(text, operation.offset.text, operation.length?.text);
    case "Replace":
      return replace(text, operation.operator, operand(operation.pattern), operand(operation.replacement));
    case "Transform":
      return transformed(text, operation.operand.text);
    case "Remove":
      return remove(text, operation.operator, operand(operation.operand));
    default:
      return undefined;
  }
}

/** `${x@P}` expands its value once more; if that changes nothing, the result is the text itself. */
function transformed(text: string, letter: string): string | undefined {
  if (letter === "U") return text.toUpperCase();
  if (letter === "L") return text.toLowerCase();
  if (letter === "u") return text.charAt(0).toUpperCase() + text.slice(1);
  if (letter === "Q") return `'${text.replaceAll("'", `'\\''`)}'`;
  return (letter === "P" || letter === "E") && !/[$`\\]/.test(text) ? text : undefined;
}

function changeCase(text: string, operator: string): string {
  const upper = operator.startsWith("^");
  if (operator.length === 2) return upper ? text.toUpperCase() : text.toLowerCase();
  const head = text.charAt(0);
  return (upper ? head.toUpperCase() : head.toLowerCase()) + text.slice(1);
}

function slice(text: string, offset: string, length: string | undefined): string | undefined {
  const from = Number(offset);
  const count = length === undefined ? undefined : Number(length);
  if (!Number.isInteger(from) || (count !== undefined && !Number.isInteger(count))) return undefined;
  const start = from < 0 ? Math.max(0, text.length + from) : from;
  if (count === undefined) return text.slice(start);
  return count < 0 ? text.slice(start, count) : text.slice(start, start + count);
}

function replace(text: string, operator: string, pattern: Word, replacement: Word): string | undefined {
  if (!pattern.literal || !replacement.literal || /[*?[\\]/.test(pattern.text)) return undefined;
  if (operator === "/") return text.replace(pattern.text, () => replacement.text);
  if (operator === "//" && pattern.text !== "") return text.split(pattern.text).join(replacement.text);
  return undefined;
}

function remove(text: string, operator: string, pattern: Word): string | undefined {
  if (!pattern.literal || /[*?[\\]/.test(pattern.text)) return undefined;
  const { text: affix } = pattern;
  if (operator.startsWith("#")) return text.startsWith(affix) ? text.slice(affix.length) : text;
  return text.endsWith(affix) ? text.slice(0, text.length - affix.length) : text;
}
