/** Redirections of a command: files it writes, files it reads, its input. */

import type * as Syntax from "unbash";
import { absolute } from "../../../lib/paths.ts";
import { assign, oneOf } from "../walk/scope.ts";
import { literalWord, type Redirect, type Stream, type Word } from "./reading.ts";
import { type Expansion, expandHereDoc, expandToOne } from "./words.ts";

export interface Redirections {
  readonly redirects: readonly Redirect[];
  readonly stdin: Stream | undefined;
}

export function readRedirects(nodes: readonly Syntax.Redirection[], expansion: Expansion): Redirections {
  const redirects: Redirect[] = [];
  let stdin: Stream | undefined;
  for (const node of nodes) {
    const descriptor = descriptorOf(node, expansion);
    const found = plain(node, expansion);
    redirects.push(...found);
    const input = inputOf(node, found, expansion);
    if (!input) continue;
    if (descriptor === undefined || descriptor === "0") stdin = input.stream;
    // The input stays open under its number, for `sh <&3`, `read -u 3` and `/dev/fd/3`.
    else if (input.stream) expansion.scope.files.set(`/dev/fd/${descriptor}`, input.stream);
  }
  return { redirects, stdin };
}

/** The input from a redirection; undefined for one that writes. */
function inputOf(
  node: Syntax.Redirection,
  found: readonly Redirect[],
  expansion: Expansion,
): { readonly stream: Stream | undefined } | undefined {
  if (node.type === "HereDoc") return { stream: textStream(expandHereDoc(node.body, expansion)) };
  if (node.type === "HereString")
    return { stream: node.target && textStream(expandToOne(node.target, expansion)[0], "\n") };
  if (node.operator === "<&") {
    const number = node.target && expandToOne(node.target, expansion)[0];
    const stream = number && expansion.scope.files.get(`/dev/fd/${number.text}`);
    return stream && { stream };
  }
  const [first] = found;
  return first?.kind === "read" ? { stream: fileContent(first.target, expansion) } : undefined;
}

/** `3<x`; for `{fd}<x` the shell chooses a number and stores it in the variable. */
function descriptorOf({ descriptor }: Syntax.Redirection, { scope }: Expansion): string | undefined {
  if (descriptor?.type !== "FileDescriptorVariable") return descriptor && String(descriptor.value);
  const known = scope.variables.get(descriptor.name)?.options[0];
  const number = known && /^\d+$/.test(known.text) ? known.text : String(FIRST_FREE + scope.files.size);
  assign(scope, descriptor.name, oneOf(literalWord(number)));
  return number;
}

const FIRST_FREE = 10;

function plain(node: Syntax.Redirection, expansion: Expansion): Redirect[] {
  if (node.type !== "Redirect" || !node.target) return [];
  const targets = expandToOne(node.target, expansion);
  const [first] = targets;
  if (duplicates(node.operator, first)) {
    const sink = first && node.operator === ">&" ? expansion.scope.sinks.get(first.text) : undefined;
    if (sink) expansion.addSink(sink);
    return [];
  }
  keepSink(node, expansion);
  const kind = node.operator === "<" ? "read" : node.operator.endsWith(">>") ? "append" : "write";
  return targets.map((target) => ({ kind, target }));
}

/** `exec 3> >(sh)`: text written to that descriptor later becomes the input of this script. */
function keepSink(node: Syntax.Redirect, expansion: Expansion): void {
  const part = node.target?.parts?.[0];
  if (part?.type !== "ProcessSubstitution" || part.operator !== ">" || !part.script) return;
  const number = descriptorOf(node, expansion);
  if (number !== undefined) expansion.scope.sinks.set(number, part.script);
}

/** `2>&1`, `<&3`, `>&-` name descriptors and not files. */
function duplicates(operator: string, target: Word | undefined): boolean {
  if (operator !== ">&") return operator === "<&";
  const text = target?.text ?? "";
  return text === "1" || text === "2" || /^(?:\d+-?|-|\$.*)$/.test(text);
}

function textStream(word: Word | undefined, end = ""): Stream {
  return { text: word?.literal ? word.text + end : undefined, from: word?.from ?? [] };
}

/** Undefined for a file on disk: feeding it to a shell counts as running a script by name. */
function fileContent(target: Word, { scope }: Expansion): Stream | undefined {
  if (!target.literal || /^\/dev\/(?:tcp|udp)\//.test(target.text)) return { text: undefined, from: [] };
  const path = absolute(target.text, scope.cwd);
  if (path === "/dev/null") return { text: "", from: [] };
  return path === undefined ? undefined : scope.files.get(path);
}
