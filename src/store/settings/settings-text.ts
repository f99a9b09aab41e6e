/**
 * Puts one setting into the text of a settings file, or takes it out. The library says where things stand and how a
 * value is written; the edit itself is a cut in the text, because the library's own output would also change spaces,
 * indents and blank lines that nobody asked to change. A file written in an unusual way comes back as it was: the
 * caller reads the result back and tells the person.
 */
import { isMap, isPair, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap, type YAMLSeq } from "yaml";

/** A value as YAML on one line, quoted so that it can also stand in a list or between braces. */
export function yamlOf(value: unknown): string {
  const list = stringify([value], {
    collectionStyle: "flow",
    flowCollectionPadding: false,
    lineWidth: 0,
    blockQuote: false,
  });
  const line = list.trimEnd().slice(1, -1);
  // The library breaks a list that holds a line feed; JSON never does, and is YAML too.
  return line.includes("\n") ? JSON.stringify(value) : line;
}

export function withSetting(text: string, key: string, value: unknown): string {
  const file = fileOf(text);
  if (!file) return text;
  const [group = "", leaf = ""] = key.split(".");
  const pair = pairIn(file.root, group);
  const written = yamlOf(value);
  const isAlone = leaf === "" || (key === PROFILE && !isMap(pair?.value));
  if (isAlone) return pair ? withValue(file, pair, written) : withPair(file, file.root, group, written);
  if (!pair) return withGroup(file, group, `${leaf}: ${written}`);
  const old = pairIn(pair.value, leaf);
  if (old) return withValue(file, old, written);
  if (isEmpty(pair.value)) return unfolded(file, pair, [`${leaf}: ${written}`]);
  if (isMap(pair.value)) return withPair(file, pair.value, leaf, written);
  const isName = group === "profile";
  return isName ? unfolded(file, pair, [`name: ${sourceOf(file, pair.value)}`, `${leaf}: ${written}`]) : text;
}

/** Also removes a group that becomes empty, because an empty group would mean something else. */
export function withoutSetting(text: string, key: string): string {
  const file = fileOf(text);
  const [group = "", leaf = ""] = key.split(".");
  const pair = file && pairIn(file.root, group);
  if (!file || !pair) return text;
  if (leaf === "" || (key === PROFILE && !isMap(pair.value))) return withoutPair(file, file.root, pair);
  const child = pairIn(pair.value, leaf);
  if (!isMap(pair.value) || !child) return text;
  if (pair.value.items.length > 1) return withoutPair(file, pair.value, child);
  if (isFlow(pair.value)) return withoutPair(file, file.root, pair);
  // Comments between the two stay.
  const [head, body] = [linesOf(file, pair.key, colonEnd(pair)), linesOf(file, child.key, endOf(file, child))];
  if (!head || !body) return text;
  return cut(cut(file.text, body), head);
}

/** The only setting that can be written as its group alone: `profile: oath`. */
const PROFILE = "profile.name";

interface File {
  /** Always ends with a line feed, unless it is empty. */
  readonly text: string;
  readonly eol: string;
  /** Missing when the file says nothing yet. */
  readonly root: YAMLMap | undefined;
  /** Where a new group goes: after everything else, comments too. */
  readonly end: number;
}

/** Undefined for a text that the library can't read, or that is no map. */
function fileOf(given: string): File | undefined {
  const eol = given.includes("\r\n") ? "\r\n" : "\n";
  const text = given === "" || given.endsWith("\n") ? given : given + eol;
  // With this schema every key is the word that stands there: `on` is never a truth value.
  const document = parseDocument(text, { schema: "failsafe", keepSourceTokens: true });
  const { contents, errors, range } = document;
  if (errors.length > 0) return undefined;
  const marker = text.slice(range[1]).search(/^\.\.\.\s/m);
  const end = marker < 0 ? text.length : range[1] + marker;
  if (contents === null || isUnwritten(contents)) return { text, eol, root: undefined, end };
  return isMap(contents) ? { text, eol, root: contents, end } : undefined;
}

type Span = readonly [from: number, to: number];

function cut(text: string, [from, to]: Span, instead = ""): string {
  return text.slice(0, from) + instead + text.slice(to);
}

function pairIn(map: unknown, name: string): Pair | undefined {
  return isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
}

function isFlow(node: unknown): boolean {
  return isMap(node) && node.flow === true;
}

function isBlock(node: unknown): node is YAMLMap | YAMLSeq {
  return (isMap(node) || isSeq(node)) && !node.flow;
}

function isEmpty(node: unknown): boolean {
  return (isMap(node) && node.items.length === 0) || isUnwritten(node);
}

/** A value that has no text at all; `""` has one. */
function isUnwritten(node: unknown): boolean {
  return isScalar(node) && node.range?.[0] === node.range?.[1];
}

/** In the place of the old value. The comment behind it stays, comments inside a list go with the list. */
function withValue(file: File, pair: Pair, written: string): string {
  const { text } = file;
  const [colon, start, end] = [colonEnd(pair), startOf(pair.value), endOf(file, pair)];
  if (colon < 0 || start < 0) return text;
  if (start === end) return cut(text, [colon, colon], ` ${written}`);
  const between = text.slice(colon, start);
  const [head = ""] = between.split(/\r?\n/);
  if (head === between) return cut(text, [colon, end], (/^\s*/.exec(between)?.[0] ?? "") + written);
  const comment = /\s+#.*$/.exec(head)?.[0] ?? "";
  const to = isBlock(pair.value) ? end + text.slice(end).search(/\r?\n/) : end;
  return cut(text, [colon, to], ` ${written}${comment}`);
}

/** Behind the others of its map. */
function withPair(file: File, map: YAMLMap | undefined, name: string, written: string): string {
  const { text, eol, root, end } = file;
  const line = `${name}: ${written}`;
  if (!map || (map === root && !isFlow(map))) return cut(text, [end, end], line + eol);
  const last = map.items.at(-1);
  const behind = last ? endOf(file, last) : startOf(map) + 1;
  if (isFlow(map)) return cut(text, [behind, behind], last ? `, ${line}` : line);
  const at = lineEnd(text, behind);
  return cut(text, [at, at], indentOf(file, map) + line + eol);
}

function withGroup(file: File, group: string, line: string): string {
  if (isFlow(file.root)) return withPair(file, file.root, group, `{${line}}`);
  return cut(file.text, [file.end, file.end], `${group}:${file.eol}  ${line}${file.eol}`);
}

/** A group written as one word or as an empty map becomes a map with a line for each setting. */
function unfolded(file: File, pair: Pair, lines: readonly string[]): string {
  const { text, eol, root } = file;
  const [colon, end] = [colonEnd(pair), endOf(file, pair)];
  if (isFlow(root)) return withValue(file, pair, `{${lines.join(", ")}}`);
  if (colon < 0 || text.slice(colon, end).includes("\n")) return text;
  const at = lineEnd(text, end);
  const body = lines.map((line) => `  ${line}${eol}`).join("");
  return cut(cut(text, [at, at], body), [colon, isEmpty(pair.value) && !isFlow(pair.value) ? colon : end]);
}

function withoutPair(file: File, map: YAMLMap | undefined, pair: Pair): string {
  const { text } = file;
  if (!isFlow(map)) {
    const lines = linesOf(file, pair.key, endOf(file, pair));
    return lines ? cut(text, lines) : text;
  }
  const items = map?.items ?? [];
  const at = items.indexOf(pair);
  const [before, after] = [items[at - 1], items[at + 1]];
  if (after) return cut(text, [startOf(pair.key), startOf(after.key)]);
  return cut(text, [before ? endOf(file, before) : startOf(pair.key), endOf(file, pair)]);
}

/** The whole lines from a key to an end; undefined when something else stands before the key. */
function linesOf({ text }: File, key: unknown, end: number): Span | undefined {
  let from = startOf(key);
  while (text[from - 1] === " ") from--;
  return from > 0 && !/[\n\uFEFF]/.test(text[from - 1] ?? "") ? undefined : [from, lineEnd(text, end)];
}

/** The start of the next line, or `at` itself where a line starts there. */
function lineEnd(text: string, at: number): number {
  if (at === 0 || text[at - 1] === "\n") return at;
  const found = text.indexOf("\n", at);
  return found < 0 ? text.length : found + 1;
}

function indentOf({ text }: File, map: YAMLMap): string {
  const first = startOf(map.items[0]?.key);
  return text.slice(text.lastIndexOf("\n", first - 1) + 1, first);
}

function startOf(node: unknown): number {
  return (node as { readonly range?: Span } | null | undefined)?.range?.[0] ?? -1;
}

/** Where a pair's last word ends; trailing comments are behind it. */
function endOf(file: File, { key, value }: Pair): number {
  return lastOf(file, value ?? key);
}

function lastOf(file: File, node: unknown): number {
  const last = isBlock(node) ? node.items.at(-1) : undefined;
  if (last) return isPair(last) ? endOf(file, last) : lastOf(file, last);
  const [from, to] = (node as { readonly range: Span }).range;
  // A text of several lines counts its last line feed in.
  return from + file.text.slice(from, to).trimEnd().length;
}

function sourceOf(file: File, node: unknown): string {
  return file.text.slice(startOf(node), lastOf(file, node));
}

/** Behind the colon; -1 for a key without one. */
function colonEnd({ srcToken }: Pair): number {
  const colon = srcToken?.sep?.find(({ type }) => type === "map-value-ind");
  return colon ? colon.offset + 1 : -1;
}
