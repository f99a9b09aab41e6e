/** Expands a word of the line into its possible fields. */

import type * as Syntax from "unbash";
import { parse } from "unbash";
import type { Scope } from "../walk/scope.ts";
import { expandBraces } from "./braces.ts";
import { fieldsOf, join, type Piece } from "./fields.ts";
import { type Options, parameterOptions, separatorsOf, simpleOptions } from "./parameters.ts";
import { GAP, literalWord, type Stream, unknownWord, type Word } from "./reading.ts";

/** The part of the walk that expansion needs: running substitutions. */
export interface Expansion {
  readonly scope: Scope;
  run(script: Syntax.ParsedScript | undefined): Stream;
  /** Gives the reading end of a process substitution a file name. */
  nameFile(stream: Stream): string;
  /** Keeps a `>(…)` script until its input is known. */
  addSink(script: Syntax.ParsedScript | undefined): void;
  /** Called if the words expand to more than the limits allow. */
  giveUp(): void;
}

const OPTIONS_MAX = 16;
const FIELDS_MAX = 4_000;
const PARTS_MAX = 600;

/** All possible argument lists of the words; beyond the limit they collapse into unknown words. */
export function expandWords(words: readonly Syntax.Word[], expansion: Expansion): Word[][] {
  let lists: Word[][] = [[]];
  for (const word of words) {
    const options = expandWord(word, expansion);
    const only = options[0] ?? [];
    const size = (lists[0]?.length ?? 0) + only.length;
    if (size > FIELDS_MAX) {
      // The words read so far are kept unchanged, because their meaning depends on their position.
      expansion.giveUp();
      break;
    }
    if (options.length * lists.length > OPTIONS_MAX) lists = lists.map((list) => [...list, unknownWord(word.text)]);
    else if (options.length === 1) for (const list of lists) list.push(...only);
    else lists = options.flatMap((option) => lists.map((list) => [...list, ...option]));
  }
  return lists;
}

/** A single field, where the shell does not split: assignments, here-strings, redirect targets. */
export function expandToOne(word: Syntax.Word, expansion: Expansion): Word[] {
  const options = piecesOf(word, expansion, "whole").map((pieces) =>
    pieces.flatMap(({ fields }) => fields).reduce(join, literalWord("")),
  );
  return options.length > 0 ? options : [literalWord("")];
}

export function expandHereDoc(body: Syntax.HereDocBody, expansion: Expansion): Word {
  const parts = body.parts;
  if (!parts) return literalWord(body.text);
  return parts.flatMap((part) => partOptions(part, true, expansion)[0]?.fields ?? []).reduce(join, literalWord(""));
}

function expandWord(word: Syntax.Word, expansion: Expansion): Word[][] {
  const { parts } = word;
  if (!parts) return [[bareWord(word, expansion.scope)]];
  if (parts.length > PARTS_MAX) {
    expansion.giveUp();
    return [[unknownWord(word.text)]];
  }
  if (parts.some(({ type }) => type === "BraceExpansion")) return expandBraced(word, expansion);
  const separators = separatorsOf(expansion.scope);
  return piecesOf(word, expansion, "split").map((pieces) => fieldsOf(pieces, separators));
}

function bareWord(word: Syntax.Word, scope: Scope): Word {
  return plainText(tildePattern().test(word.text) ? expandTilde(word.value, scope) : word.value, scope);
}

/** In text that another command fills in, the gap character stands for unknown text. */
function plainText(text: string, { gaps }: Scope): Word {
  const at = gaps ? text.indexOf(GAP) : -1;
  return at < 0 ? literalWord(text) : { text, literal: false, glob: false, prefix: text.slice(0, at) };
}

function expandBraced(word: Syntax.Word, expansion: Expansion): Word[][] {
  const spellings = expandBraces(word.text);
  if (!spellings) return [[unknownWord(word.text)]];
  const nodes = spellings.flatMap((spelling) => (spelling === "" ? [] : reparse(spelling)));
  // A result that contains braces again is not expanded a second time, so that the limit holds.
  return expandWords(
    nodes.map((node) => withoutBraces(node)),
    expansion,
  );
}

function withoutBraces(word: Syntax.Word): Syntax.Word {
  if (!word.parts?.some(({ type }) => type === "BraceExpansion")) return word;
  const parts = word.parts.map((part) =>
    part.type === "BraceExpansion" ? { ...part, type: "Literal" as const, value: part.text, parts: undefined } : part,
  );
  return { type: "Word", text: word.text, value: word.value, pos: word.pos, end: word.end, parts };
}

function reparse(spelling: string): Syntax.Word[] {
  const command = parse(`: ${spelling}`).commands[0]?.command;
  if (command?.type !== "Command") return [];
  return command.suffix.filter((node): node is Syntax.Word => node.type === "Word");
}

type Mode = "split" | "whole";

function piecesOf(word: Syntax.Word, expansion: Expansion, mode: Mode): Piece[][] {
  const { parts } = word;
  if (!parts) return [[{ fields: [bareWord(word, expansion.scope)], split: false }]];
  let lists: Piece[][] = [[]];
  for (const { part, quoted } of flatten(parts)) {
    const options =
      tildeFirst(part, word, lists, expansion.scope) ?? partOptions(part, quoted || mode === "whole", expansion);
    if (options.length * lists.length > OPTIONS_MAX) {
      lists = lists.map((list) => [...list, { fields: [unknownWord(part.text)], split: false }]);
    } else if (options.length === 1) {
      for (const list of lists) list.push(...options);
    } else {
      lists = options.flatMap((option) => lists.map((list) => [...list, option]));
    }
  }
  return lists;
}

function tildeFirst(part: Syntax.WordPart, word: Syntax.Word, lists: Piece[][], scope: Scope): Piece[] | undefined {
  const first = lists[0]?.length === 0;
  if (!first || part.type !== "Literal" || !tildePattern().test(word.text)) return undefined;
  return [{ fields: [literalWord(expandTilde(part.value, scope))], split: false }];
}

interface Flat {
  readonly part: Syntax.WordPart;
  readonly quoted: boolean;
}

/** Unwraps double quotes; an empty literal stays so that `""` remains a field. */
function flatten(parts: readonly Syntax.WordPart[]): Flat[] {
  return parts.flatMap((part): Flat[] => {
    if (part.type !== "DoubleQuoted" && part.type !== "LocaleString") return [{ part, quoted: false }];
    const inner = part.parts.map((child) => ({ part: child, quoted: true }));
    return inner.length > 0 ? inner : [{ part: { ...EMPTY, pos: part.pos, end: part.end }, quoted: true }];
  });
}

const EMPTY = { type: "Literal", value: "", text: "" } as const;

function partOptions(part: Syntax.WordPart, quoted: boolean, expansion: Expansion): Piece[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ fields: [plainText(part.value, expansion.scope)], split: false }];
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return [{ fields: [{ ...literalWord(part.text), glob: part.type !== "BraceExpansion" }], split: false }];
    case "DoubleQuoted":
    case "LocaleString":
      return [
        {
          fields: [part.parts.map((child) => firstField(child, expansion)).reduce(join, literalWord(""))],
          split: false,
        },
      ];
    case "SimpleExpansion":
      return pieces(simpleOptions(part.text.slice(1), expansion.scope, quoted), quoted);
    case "ParameterExpansion":
      return pieces(
        parameterOptions(part, expansion.scope, (word) => expandToOne(word, expansion)[0] ?? unknownWord(word.text)),
        quoted,
      );
    case "CommandExpansion":
      return pieces([[outputWord(expansion.run(part.script), part.text)]], quoted);
    case "ProcessSubstitution":
      return [{ fields: [substituted(part, expansion)], split: false }];
    case "ArithmeticExpansion":
      runArithmetic(part.expression, expansion);
      return [{ fields: [unknownWord(part.text)], split: false }];
  }
}

function firstField(part: Syntax.WordPart, expansion: Expansion): Word {
  return partOptions(part, true, expansion)[0]?.fields[0] ?? literalWord("");
}

function pieces(options: Options, quoted: boolean): Piece[] {
  return options.map((fields) => ({ fields, split: !quoted }));
}

function outputWord(stream: Stream, spelling: string): Word {
  if (stream.text === undefined) return unknownWord(spelling, stream.from);
  const word = literalWord(stream.text.replace(/\n+$/, ""));
  return stream.from.length > 0 ? { ...word, from: stream.from } : word;
}

function substituted(part: Syntax.ProcessSubstitutionPart, expansion: Expansion): Word {
  if (part.operator === "<") {
    const stream = expansion.run(part.script);
    return { ...literalWord(expansion.nameFile(stream)), ...(stream.from.length > 0 && { from: stream.from }) };
  }
  expansion.addSink(part.script);
  return literalWord("/dev/fd/sink");
}

/** Arithmetic results are not computed, but substitutions inside it run. */
export function runArithmetic(expression: Syntax.ArithmeticExpression | undefined, expansion: Expansion): void {
  const todo = expression ? [expression] : [];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.type === "ArithmeticCommandExpansion") expansion.run(node.script);
    else if (node.type === "ArithmeticWord") for (const part of node.parts ?? []) partOptions(part, true, expansion);
    else todo.push(...operandsOf(node));
  }
}

function operandsOf(
  node: Exclude<Syntax.ArithmeticExpression, Syntax.ArithmeticWord | Syntax.ArithmeticCommandExpansion>,
): readonly Syntax.ArithmeticExpression[] {
  switch (node.type) {
    case "ArithmeticBinary":
      return [node.left, node.right];
    case "ArithmeticUnary":
      return [node.operand];
    case "ArithmeticTernary":
      return [node.test, node.consequent, node.alternate];
    case "ArithmeticGroup":
      return [node.expression];
  }
}

/** Substitutions inside `[[ … ]]` run. */
export function runTest(expression: Syntax.TestExpression, expansion: Expansion): void {
  if (expression.type === "TestUnary") {
    const [operand] = expandToOne(expression.operand, expansion);
    if (operand && /\[.*(?:\$\(|`)/s.test(operand.text)) expansion.run(parse(`: "${operand.text}"`));
  } else if (expression.type === "TestBinary")
    for (const word of [expression.left, expression.right]) expandToOne(word, expansion);
  else if (expression.type === "TestLogical") for (const operand of expression.operands) runTest(operand, expansion);
  else runTest(expression.type === "TestNot" ? expression.operand : expression.expression, expansion);
}

/** Bash also expands a tilde in an argument that looks like an assignment: `dd of=~/x`. */
const tildePattern = (): RegExp => /^(?:[A-Za-z_]\w*=)?~/;

function expandTilde(text: string, scope: Scope): string {
  const [name = ""] = /^[A-Za-z_]\w*=(?=~)/.exec(text) ?? [];
  return name + expandedTilde(text.slice(name.length), scope);
}

function expandedTilde(text: string, scope: Scope): string {
  const match = /^~([^/]*)(.*)$/s.exec(text);
  if (!match) return text;
  const [, user = "", rest = ""] = match;
  if (user === "") return scope.home + rest;
  if (user === "+") return (scope.cwd ?? "~+") + rest;
  if (user === "root") return `/root${rest}`;
  return /^[a-z_][a-z0-9_-]*$/i.test(user) ? `/home/${user}${rest}` : text;
}
