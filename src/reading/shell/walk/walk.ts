/** Walks the syntax of a line in execution order and keeps the known state on the way. */

import type * as Syntax from "unbash";
import { isDecoded, isFullyUnknown, unread as unreadStream } from "../commands/interpreters.ts";
import { hidesCommand, readAssignments, wordsOf } from "../parse/assignments.ts";
import { hidesBlanks, isDisguised, namesIn } from "../parse/names.ts";
import { noteErrors, parseBounded } from "../parse/parse.ts";
import { GAP, literalWord, type Stream, type Word } from "../parse/reading.ts";
import { readRedirects } from "../parse/redirects.ts";
import { type Expansion, expandWords, runArithmetic, runTest } from "../parse/words.ts";
import { after, type Call, emit, type Runner, SILENT } from "./call.ts";
import { runAssigned } from "./environment.ts";
import { keepOutput } from "./files.ts";
import { enterFunction, runFunction } from "./functions.ts";
import { runCall } from "./run.ts";
import { deeper, ends, fork, oneOf, type Reader, type Scope, spend, weigh } from "./scope.ts";

/** A function that the line does not call may be called later, so its body counts. */
export function walkUncalled(reader: Reader): void {
  for (const { node, scope } of reader.defined) {
    if (reader.called.has(node)) continue;
    const call = callOf([literalWord(node.name.value)], fork(scope), reader);
    enterFunction(node, call, undefined, (body, inner) => walk(body, inner, reader));
  }
}

type Node = Syntax.PipelineNode | Syntax.AndOr | Syntax.CompoundList | Syntax.Statement;

export function walkScript(script: Syntax.ParsedScript | undefined, scope: Scope, reader: Reader): Stream {
  if (!script) return { text: undefined, from: [] };
  noteErrors(script, reader);
  return deeper(reader, () => sequence(script.commands, scope, reader)) ?? { text: undefined, from: [] };
}

function sequence(nodes: readonly Node[], scope: Scope, reader: Reader): Stream {
  let all: Stream = SILENT;
  for (const node of ends(nodes, reader)) {
    all = after(all, walk(node, scope, reader));
  }
  return all;
}

function walk(node: Node, scope: Scope, reader: Reader): Stream {
  if (!spend(reader)) return { text: undefined, from: [] };
  switch (node.type) {
    case "Statement":
      return walk(node.command, node.background ? fork(scope, { spawning: true }) : scope, reader);
    case "CompoundList":
      return sequence(node.commands, scope, reader);
    case "Command":
      return walkCommand(node, scope, reader);
    case "Pipeline":
      return walkPipeline(node, scope, reader);
    case "AndOr":
      return walkAndOr(node, scope, reader);
    case "BraceGroup":
      return sequence(node.body.commands, scope, reader);
    case "Subshell":
      return sequence(node.body.commands, fork(scope), reader);
    case "Function":
      scope.functions.set(node.name.value, node);
      reader.defined.push({ node, scope });
      return SILENT;
    case "Redirected":
      return walkRedirected(node, scope, reader);
    case "Coproc":
      return walk(node.body, fork(scope, { spawning: true }), reader);
    default:
      return walkBranching(node, scope, reader);
  }
}

type Branching = Exclude<Syntax.CompoundCommand, Syntax.BraceGroup | Syntax.Subshell>;

function walkBranching(node: Branching, scope: Scope, reader: Reader): Stream {
  switch (node.type) {
    case "If": {
      const lists = [node.clause, node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then])];
      return branch(node.else ? [...lists, node.else] : lists, scope, reader);
    }
    case "While":
      return branch([node.clause, node.body], scope, reader);
    case "For":
    case "Select":
      bindLoop(node, scope, reader);
      return branch([node.body], scope, reader);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) runArithmetic(part, expansionOf(scope, reader));
      return branch([node.body], scope, reader);
    case "Case":
      expandWords([node.word], expansionOf(scope, reader));
      return branch(
        node.items.map(({ body }) => body),
        scope,
        reader,
      );
    case "TestCommand":
      runTest(node.expression, expansionOf(scope, reader));
      return SILENT;
    case "ArithmeticCommand":
      runArithmetic(node.expression, expansionOf(scope, reader));
      return SILENT;
  }
}

/** After a branch that may not have run, the directory is known only if the branch did not change it. */
function branch(lists: readonly Syntax.CompoundList[], scope: Scope, reader: Reader): Stream {
  const { maybe, cwd } = scope;
  scope.maybe = true;
  const output = sequence(lists, scope, reader);
  scope.maybe = maybe;
  if (scope.cwd !== cwd) scope.cwd = undefined;
  return { text: undefined, from: output.from };
}

function bindLoop(node: Syntax.For | Syntax.Select, scope: Scope, reader: Reader): void {
  const options = node.wordlist ? expandWords(node.wordlist, expansionOf(scope, reader)) : [];
  const words = options.flat();
  const value = oneOf(...words);
  const open = value.open || !node.wordlist;
  scope.variables.set(node.name.value, { ...value, open });
}

function walkAndOr(node: Syntax.AndOr, scope: Scope, reader: Reader): Stream {
  const { maybe } = scope;
  const [first, ...rest] = ends(node.commands, reader);
  let all = first ? sequence([first], scope, reader) : SILENT;
  for (const [index, command] of rest.entries()) {
    const { cwd } = scope;
    scope.maybe = true;
    const output = walk(command, scope, reader);
    if (node.operators[index] === "||" && scope.cwd !== cwd) scope.cwd = undefined;
    all = after(all, node.operators[index] === "&&" ? output : { text: undefined, from: output.from });
  }
  scope.maybe = maybe;
  return all;
}

function walkPipeline(node: Syntax.Pipeline, scope: Scope, reader: Reader): Stream {
  let stream = scope.stdin;
  const [only, ...more] = node.commands;
  if (only && more.length === 0) return walk(only, scope, reader);
  const variables = new Map(scope.variables);
  for (const command of ends(node.commands, reader)) {
    // The last command of a pipeline may run in the shell itself (lastpipe), so its assignments may persist.
    const inner = fork(scope, { stdin: stream, spawning: true, maybe: true });
    stream = walk(command, inner, reader);
    for (const [name, value] of inner.variables) if (variables.get(name) !== value) scope.variables.set(name, value);
  }
  return stream ?? SILENT;
}

function walkRedirected(node: Syntax.Redirected, scope: Scope, reader: Reader): Stream {
  const expansion = expansionOf(scope, reader);
  const { redirects, stdin } = readRedirects(node.redirects, expansion);
  const outer = scope.stdin;
  scope.stdin = stdin ?? outer;
  const output = walk(node.command, scope, reader);
  scope.stdin = outer;
  drain(expansion, output, scope, reader);
  const writes = redirects.some(({ kind }) => kind !== "read");
  if (redirects.length > 0) runCall({ ...callOf([literalWord(":")], scope, reader), redirects, stdin: output });
  if (writes) keepOutput(redirects, output, scope);
  return writes ? SILENT : output;
}

function walkCommand(node: Syntax.Command, scope: Scope, reader: Reader): Stream {
  const expansion = expansionOf(scope, reader);
  const hidden = hidesCommand(node);
  if (hidden) reader.unknown.add("parse error");
  if (node.name && (isDisguised(node.name) || hidesBlanks(node.name) || node.args.some(hidesBlanks)))
    reader.unknown.add("disguised name");
  // `$0 -c …` starts the shell by the name of the running program.
  if (node.name?.parts && /^"?\$\{?0\}?"?$/.test(node.name.text) && /^-\w*c$/.test(node.args[0]?.text ?? ""))
    reader.unknown.add("command name is not literal");
  const assignments = readAssignments(node, expansion, scope);
  const words = wordsOf(node, hidden, expansion);
  const { redirects, stdin } = readRedirects(node.redirects, expansion);
  let output: Stream = SILENT;
  const lists = expandWords(words, expansion).flatMap(namesIn);
  if (lists[0] && assignments.length > 0)
    runAssigned(assignments, callOf(lists[0], scope, reader, { redirects: [], assignments, stdin: scope.stdin }));
  for (const argv of lists) {
    weigh(reader, argv);
    const call = callOf(argv, scope, reader, { redirects, assignments, stdin: stdin ?? scope.stdin });
    output =
      runFunction(call, (body, inner) => walk(body, inner, reader)) ?? deeper(reader, () => runCall(call)) ?? SILENT;
  }
  drain(expansion, output.text === "" && stdin ? stdin : output, scope, reader);
  return redirects.some(({ kind }) => kind !== "read") ? { text: "", from: output.from } : output;
}

/** Feeds the output of the command to its `>(…)` scripts. */
function drain(expansion: Draining, output: Stream, scope: Scope, reader: Reader): void {
  for (const script of expansion.sinks) walkScript(script, fork(scope, { stdin: output, spawning: true }), reader);
}

interface Draining extends Expansion {
  readonly sinks: (Syntax.ParsedScript | undefined)[];
}

function expansionOf(scope: Scope, reader: Reader): Draining {
  const sinks: (Syntax.ParsedScript | undefined)[] = [];
  return {
    scope,
    sinks,
    run: (script) => walkScript(script, fork(scope, { stdin: undefined }), reader),
    addSink: (script) => sinks.push(script),
    giveUp: () => reader.unknown.add("too many commands"),
    nameFile(stream) {
      const path = `/dev/fd/${63 + scope.files.size}`;
      scope.files.set(path, stream);
      return path;
    },
  };
}

type Given = Pick<Call, "redirects" | "assignments" | "stdin">;

function callOf(argv: readonly Word[], scope: Scope, reader: Reader, given?: Given): Call {
  const { cwd, via, remote, contained } = scope;
  const { redirects, assignments, stdin } = given ?? { redirects: [], assignments: [], stdin: scope.stdin };
  return { argv, scope, cwd, via, remote, contained, redirects, stdin, assignments, runner: runnerOf(reader) };
}

function runnerOf(reader: Reader): Runner {
  return {
    reader,
    call: (call) => deeper(reader, () => (spend(reader) ? runCall(call) : SILENT)) ?? SILENT,
    child: (call, script, positional) => {
      const { via, remote, contained, cwd, stdin } = call;
      const scope = fork(call.scope, {
        via,
        remote,
        contained,
        cwd,
        stdin,
        positional: positional ?? [],
        maybe: false,
      });
      for (const { name, value } of call.assignments) scope.variables.set(name, oneOf(value));
      return readText(call, script, scope, reader);
    },
    here: (call, script) => {
      const { via, stdin } = call;
      const scope = call.scope;
      const inner: Scope = { ...scope, via, stdin };
      const output = readText(call, script, inner, reader);
      scope.cwd = inner.cwd;
      scope.positional = inner.positional;
      return output;
    },
  };
}

/** Marks text that is not on the line at all; text with some unknown words is read around them. */
function readText(call: Call, script: Word, scope: Scope, reader: Reader): Stream {
  const fed = script.from?.length ? script.from : undefined;
  const whole = isFullyUnknown(script);
  const listed = script.text.includes(GAP) && fed?.every(({ name }) => name !== undefined && LISTERS.test(name));
  const unread = whole || (!listed && fed !== undefined && (!script.literal || isDecoded(fed)));
  const runner = { ...call, via: call.via.slice(0, -1), argv: [literalWord(call.via.at(-1) ?? "sh"), script] };
  const marked = unread ? emit(runner, undefined, unreadStream({ text: undefined, from: fed ?? [] })) : undefined;
  if (marked && whole) return marked;
  const gaps = scope.gaps || (!script.literal && script.text.includes(GAP));
  return withinItself(script.text, reader, () => {
    const parsed = parseBounded(script.text, reader);
    const inner = gaps === scope.gaps ? scope : Object.assign(scope, { gaps });
    return parsed ? walkScript(parsed, inner, reader) : NOTHING;
  });
}

/** Commands that list names; a name inside a script is read as a gap. */
const LISTERS = /^(?:find|fd|fdfind|rg|grep|git|ls)$/;

const NOTHING: Stream = { text: undefined, from: [] };
const WITHIN_MAX = 3;

/** A text that evaluates itself adds nothing after a few rounds, but doubles the work each time. */
function withinItself(text: string, reader: Reader, read: () => Stream): Stream {
  const times = reader.texts.get(text) ?? 0;
  if (times >= WITHIN_MAX) {
    reader.unknown.add("too many commands");
    return NOTHING;
  }
  reader.texts.set(text, times + 1);
  const output = read();
  reader.texts.set(text, times);
  return output;
}
