/**
 * Puts one setting into the text of a settings file, or takes it out: every other line, comments too, stays as it is.
 * It knows the two levels that settings have and the usual ways to write them. Whoever uses it reads the result back:
 * what was written in an unusual way is refused there, never guessed at.
 */

/** A value as YAML, on one line. */
export function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(", ")}]`;
  const isPlain =
    typeof value === "string" && /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|null)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

export function withSetting(text: string, key: string, value: unknown): string {
  const [group = "", leaf] = key.split(".");
  const { lines, end } = linesOf(text);
  const span = spanOf(lines, group, { from: 0, to: lines.length });
  const isAlone = leaf === undefined || (key === PROFILE && (!span || isShort(lines, span)));
  const after = isAlone
    ? placed(lines, span, `${group}: ${yamlOf(value)}`)
    : withLeaf(...(span ? unfolded(lines, span) : begun(lines, group)), leaf, yamlOf(value));
  return joined(after, end);
}

function withLeaf(lines: readonly string[], span: Span, leaf: string, value: string): readonly string[] {
  const indent = indentIn(lines, span);
  const line = `${indent}${leaf}: ${value}`;
  const child = spanOf(lines, leaf, { from: span.from + 1, to: span.to }, indent);
  return child ? placed(lines, child, line) : [...lines.slice(0, span.to), line, ...lines.slice(span.to)];
}

/** With a new group at the end. */
function begun(lines: readonly string[], group: string): readonly [readonly string[], Span] {
  return [[...lines, `${group}:`], { from: lines.length, to: lines.length + 1 }];
}

/** A group with nothing left in it goes too: alone it would mean something else. */
export function withoutSetting(text: string, key: string): string {
  const [group = "", leaf] = key.split(".");
  const { lines, end } = linesOf(text);
  const span = spanOf(lines, group, { from: 0, to: lines.length });
  if (!span) return text;
  const isWhole = leaf === undefined || (key === PROFILE && isShort(lines, span));
  const child = isWhole ? span : spanOf(lines, leaf, { from: span.from + 1, to: span.to }, indentIn(lines, span));
  if (!child) return text;
  const isLast =
    !isWhole && !lines.some((line, at) => isIn(at, span) && at > span.from && !isIn(at, child) && says(line));
  const left = lines.filter((_, at) => !isIn(at, child) && !(isLast && at === span.from));
  return joined(left, end);
}

/** Where a key stands, counted from 1; of a list also where one of its entries begins. As near as the writing allows. */
export function lineOf(text: string, key: string, entry?: number): number | undefined {
  const { lines } = linesOf(text);
  const [group = "", leaf] = key.split(".");
  const all = { from: 0, to: lines.length };
  const span = spanOf(lines, group, all) ?? spanOf(lines, key, all);
  if (!span) return undefined;
  const below = { from: span.from + 1, to: span.to };
  const child = leaf === undefined ? undefined : spanOf(lines, leaf, below, indentIn(lines, span));
  const found = child ?? span;
  return (entry === undefined ? found.from : entryLine(lines, found, entry)) + 1;
}

function entryLine(lines: readonly string[], { from, to }: Span, entry: number): number {
  const dashes = lines.flatMap((line, at) => (at > from && at < to && /^ *-(?: |$)/.test(line) ? [at] : []));
  const indent = Math.min(...dashes.map((at) => indentOf(lines[at] ?? "").length));
  const own = dashes.filter((at) => indentOf(lines[at] ?? "").length === indent);
  return own[entry] ?? from;
}

/** The one setting that may be written as its group alone: `profile: oath`. */
const PROFILE = "profile.name";

/** From a key's line up to the line after the last that belongs to it. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function linesOf(text: string): { readonly lines: readonly string[]; readonly end: string } {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(end);
  return { lines: lines.at(-1) === "" ? lines.slice(0, -1) : lines, end };
}

/** A file that ended without a line feed gets one. */
function joined(lines: readonly string[], end: string): string {
  return lines.map((line) => line + end).join("");
}

function spanOf(lines: readonly string[], name: string, within: Span, indent = ""): Span | undefined {
  const starts = [name, `"${name}"`, `'${name}'`].map((spelled) => `${indent}${spelled}`);
  const from = lines.findIndex((line, at) => isIn(at, within) && starts.some((start) => isKeyLine(line, start)));
  if (from < 0) return undefined;
  let to = from + 1;
  for (let at = to; at < within.to; at++) {
    const line = lines[at] ?? "";
    if (!says(line)) continue;
    // The entries of a list may stand as far left as its key.
    if (!(indentOf(line).length > indent.length || /^ *-(?: |$)/.test(line))) break;
    to = at + 1;
  }
  return { from, to };
}

function isKeyLine(line: string, start: string): boolean {
  return line.startsWith(start) && /^\s*:(?:\s|$)/.test(line.slice(start.length));
}

function isIn(at: number, { from, to }: Span): boolean {
  return at >= from && at < to;
}

/** Neither empty nor a comment. */
function says(line: string): boolean {
  return !/^\s*(?:#.*)?$/.test(line);
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? "";
}

/** How far its first setting stands from the edge. */
function indentIn(lines: readonly string[], { from, to }: Span): string {
  const first = lines.slice(from + 1, to).find(says);
  return first === undefined ? "  " : indentOf(first);
}

/** The line in place of what stood there, with the comment at the end of it; or at the end of the file. */
function placed(lines: readonly string[], span: Span | undefined, line: string): readonly string[] {
  if (!span) return [...lines, line];
  const comment = commentAfter(valueIn(lines[span.from] ?? ""));
  return [...lines.slice(0, span.from), line + comment, ...lines.slice(span.to)];
}

/** A group that is written as one word or as an empty map on its line: `profile: oath`. */
function isShort(lines: readonly string[], { from, to }: Span): boolean {
  const value = valueIn(lines[from] ?? "");
  return to === from + 1 && value.slice(0, value.length - commentAfter(value).length).trim() !== "";
}

/** `profile: oath` with room for what else belongs to the profile; an empty map loses its braces. */
function unfolded(lines: readonly string[], span: Span): readonly [readonly string[], Span] {
  if (!isShort(lines, span)) return [lines, span];
  const line = lines[span.from] ?? "";
  const value = valueIn(line);
  const comment = commentAfter(value);
  const word = value.slice(0, value.length - comment.length).trim();
  const head = line.slice(0, line.length - value.length).trimEnd() + comment;
  const body = word === "{}" ? [] : [`  name: ${word}`];
  const unfoldedLines = [...lines.slice(0, span.from), head, ...body, ...lines.slice(span.to)];
  return [unfoldedLines, { from: span.from, to: span.from + 1 + body.length }];
}

/** What stands behind the key and its colon. */
function valueIn(line: string): string {
  return line.slice(line.indexOf(":") + 1);
}

/** With the blanks before it. A sign in quotes begins none. */
function commentAfter(value: string): string {
  const before = /^(?:\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'][^\s"',]*|,))*/.exec(value)?.[0] ?? "";
  const rest = value.slice(before.length);
  return /^\s+#/.test(rest) ? rest : "";
}
