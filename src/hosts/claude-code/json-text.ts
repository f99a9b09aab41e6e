/** Edits JSON text and keeps all other bytes: indentation, order, line ends, spaces. */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** An object or list in the text, with its position. */
export type Place = Node;

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The host reads strict JSON: a comment or trailing comma makes it drop the file, so both are errors here. */
export function treeOf(text: string): { readonly root: Place } | { readonly problem: string } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    if (first) return { problem: `${nameOf(first, text)}: ${placeIn(text, first.offset)}` };
    JSON.parse(text);
    return root ? { root } : { problem: "it is not valid JSON: it is empty" };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "it is nested too deeply to be a settings file" };
    return { problem: `it is not valid JSON${placeOfError(error, text)}` };
  }
}

/** Describes mistakes of people who expect JSON with comments; everything else is a plain syntax error. */
function nameOf({ error, offset }: ParseError, text: string): string {
  if (printParseErrorCode(error) === "InvalidCommentToken") {
    return "it has a comment, and the client drops such a file whole; it is not valid JSON";
  }
  const isComma = text.slice(0, offset).trimEnd().endsWith(",") && /^[}\]]/.test(text.slice(offset));
  return isComma ? "it is not valid JSON, a comma too many" : "it is not valid JSON";
}

/** JSON.parse must agree as well, because it is stricter in places. Its message differs between versions. */
function placeOfError(error: unknown, text: string): string {
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  return at === undefined ? "" : `: ${placeIn(text, Number(at))}`;
}

export function contentOf(place: Place): unknown {
  return getNodeValue(place);
}

export function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

export function property(object: Place | undefined, key: string): Place | undefined {
  // With duplicate keys the last one counts, like in the host.
  return object?.children?.findLast((child) => keyOf(child) === key)?.children?.[1];
}

export function keyOf(child: Place): string | undefined {
  const name: unknown = child.type === "property" ? child.children?.[0]?.value : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Finds a duplicate key: only the last one counts, which misleads people who read the first. */
export function doubledKey(object: Place | undefined): Place | undefined {
  const seen = new Set<string | undefined>();
  return object?.type === "object"
    ? object.children?.find((child) => seen.size === seen.add(keyOf(child)).size)
    : undefined;
}

/** Appends entries: values to a list, `[key, value]` pairs to an object. */
export function append(text: string, place: Place, entries: readonly unknown[]): Edit {
  const style = styleOf(text, place);
  const written = entries.map((entry) => {
    if (place.type === "array") return write(entry, style);
    const [key, value] = entry as readonly [string, unknown];
    return `${JSON.stringify(key)}${style.multiline ? ": " : ":"}${write(value, style)}`;
  });
  const gap = style.multiline ? style.eol + style.indent : "";
  const last = place.children?.at(-1);
  if (last) {
    const at = last.offset + last.length;
    return { from: at, to: at, text: written.map((entry) => `,${gap}${entry}`).join("") };
  }
  const inside = { from: place.offset + 1, to: place.offset + place.length - 1 };
  const end = style.multiline ? style.eol + style.outer : "";
  return { ...inside, text: `${written.map((entry) => gap + entry).join(",")}${end}` };
}

/** Removes entries together with their commas. At least one other entry must remain. */
export function remove(place: Place, doomed: ReadonlySet<Place>): readonly Edit[] {
  const children = place.children ?? [];
  const firstKept = children.findIndex((child) => !doomed.has(child));
  return children.flatMap((child, at) => {
    if (!doomed.has(child)) return [];
    const [before, after] = [children[at - 1], children[at + 1]];
    if (at < firstKept) return after ? [{ from: child.offset, to: after.offset, text: "" }] : [];
    return before ? [{ from: before.offset + before.length, to: child.offset + child.length, text: "" }] : [];
  });
}

export function replaced(place: Place, text: string): Edit {
  return { from: place.offset, to: place.offset + place.length, text };
}

/** Applies edits that do not overlap, in any order. */
export function applied(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.from - a.from || b.to - a.to)
    .reduce((result, edit) => result.slice(0, edit.from) + edit.text + result.slice(edit.to), text);
}

interface Style {
  readonly multiline: boolean;
  readonly eol: string;
  /** The indentation of one level. */
  readonly unit: string;
  /** The indentation of the entries, and of the object or list that contains them. */
  readonly indent: string;
  readonly outer: string;
}

function styleOf(text: string, place: Place): Style {
  const unit = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, place.offset);
  const first = place.children?.[0];
  if (!first) return { multiline: isOpen(text, place), eol, unit, indent: outer + unit, outer };
  const multiline = text.slice(place.offset, first.offset).includes("\n");
  return { multiline, eol, unit, indent: multiline ? indentAt(text, first.offset) : outer, outer };
}

/** An empty place is written on several lines, unless the file is a single line. */
function isOpen(text: string, place: Place): boolean {
  return place.parent === undefined || text.trim().includes("\n");
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function write(value: unknown, { multiline, unit, indent, eol }: Style): string {
  if (!multiline) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}
