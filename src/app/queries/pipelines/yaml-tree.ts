/** YAML as a tree with lines. Every text gives a tree or problems: nothing in it can crash, hang or fill the memory. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  Scalar,
} from "yaml";
import { inline } from "../../../lib/text.ts";
import type { Problem } from "../../../pipeline/problem.ts";
import type { Entry, MapNode, Node } from "../../../pipeline/source.ts";

/** A few aliases can stand for more values than memory holds. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 40;
/** After a bracket that is never closed, the library objects to every line. */
const ERRORS_MAX = 50;

export interface YamlTree {
  /** Undefined: nothing in it could be read. */
  readonly root: Node | undefined;
  readonly problems: readonly Problem[];
}

export function yamlTree(text: string): YamlTree {
  if (text.includes("\0") || text.includes("\uFFFD")) return failed({ rule: "binary", line: 1, path: "" });
  const lines = new LineCounter();
  try {
    const documents = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
    const all: readonly Document[] = Array.isArray(documents) ? documents : [];
    return fromDocuments(all, lines);
  } catch (error) {
    // The library recurses: a file of nothing but brackets ends its stack.
    if (error instanceof RangeError) return failed({ rule: "too-deep", line: 1, path: "" });
    throw error;
  }
}

function failed(problem: Problem): YamlTree {
  return { root: undefined, problems: [problem] };
}

function fromDocuments([first, second]: readonly Document[], lines: LineCounter): YamlTree {
  const errors = (first?.errors ?? []).slice(0, ERRORS_MAX);
  const problems = errors.map(({ pos, code, message }) => faultAt(lineOf(lines, pos[0]), code, message));
  if (second) problems.push({ rule: "documents", line: lineOf(lines, second.range?.[0] ?? 0), path: "" });
  const walk = new Walk(lines, problems);
  const root = first?.contents ? walk.nodeFrom(first.contents, 0) : undefined;
  const isEmpty = root === undefined || (root.is === "value" && root.value === null);
  if (isEmpty && problems.length === 0) return failed({ rule: "empty", line: 1, path: "" });
  return { root: isEmpty ? undefined : root, problems: withoutRepeats(problems) };
}

function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ rule, line, word = "" }) => {
    const key = `${rule}:${line}:${word}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function faultAt(line: number, code: string, message: string): Problem {
  if (code === "TAB_AS_INDENT") return { rule: "tab", line, path: "" };
  // The library catches the end of its own stack.
  if (/call stack/i.test(message)) return { rule: "too-deep", line, path: "" };
  return { rule: "yaml", line, path: "", word: inline(message, 160) };
}

function lineOf(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line);
}

/** Resolves aliases and merge keys as it goes, and stops when that stands for too much. */
class Walk {
  private count = 0;
  /** As the walk meets them. Asking the library would cost a walk for each alias. */
  private readonly anchors = new Map<string, unknown>();
  private readonly lines: LineCounter;
  private readonly problems: Problem[];

  constructor(lines: LineCounter, problems: Problem[]) {
    this.lines = lines;
    this.problems = problems;
  }

  nodeFrom(given: unknown, depth: number, from = 1): Node {
    const line = this.lineOf(given, from);
    this.count += 1;
    if (this.count > NODES_MAX) return this.refused("too-much", line, String(NODES_MAX));
    if (depth > DEPTH_MAX) return this.refused("too-deep", line);
    if (isAlias(given)) return this.aliased(given.source, depth, line);
    if ((isMap(given) || isSeq(given) || isScalar(given)) && given.anchor !== undefined)
      this.anchors.set(given.anchor, given);
    if (isMap(given)) return this.mapFrom(given.items, line, depth);
    if (isSeq(given)) {
      const items = given.items.map((item) => this.nodeFrom(item, depth + 1, line));
      return { is: "list", line, items: this.isFull ? [] : items };
    }
    return isScalar(given) ? valueFrom(given, line) : nothing(line);
  }

  private aliased(name: string, depth: number, line: number): Node {
    if (this.anchors.has(name)) return this.nodeFrom(this.anchors.get(name), depth + 1, line);
    this.problems.push({ rule: "no-anchor", line, path: "", word: inline(name, 60) });
    return nothing(line);
  }

  private get isFull(): boolean {
    return this.count > NODES_MAX;
  }

  private refused(rule: "too-much" | "too-deep", line: number, word?: string): Node {
    const isNew = !this.problems.some((one) => one.rule === rule);
    if (isNew) this.problems.push({ rule, line, path: "", ...(word !== undefined && { word }) });
    return nothing(line);
  }

  private mapFrom(pairs: readonly Pair[], line: number, depth: number): MapNode {
    const entries = new Map<string, Entry>();
    const merged: Entry[] = [];
    for (const { key, value } of pairs) {
      if (this.isFull) break;
      this.count += 1;
      const at = this.lineOf(key, line);
      const name = isScalar(key) ? nameOf(key) : undefined;
      if (name === "<<") merged.push(...this.merge(value, at, depth));
      else if (this.isNew(name, at, entries))
        entries.set(name, { key: name, line: at, value: this.nodeFrom(value, depth + 1, at) });
    }
    for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return { is: "map", line, entries: [...entries.values()] };
  }

  private isNew(name: string | undefined, line: number, entries: ReadonlyMap<string, Entry>): name is string {
    if (name === undefined) this.problems.push({ rule: "key-of-values", line, path: "" });
    const earlier = name === undefined ? undefined : entries.get(name)?.line;
    if (name !== undefined && earlier !== undefined)
      this.problems.push({ rule: "key-twice", line, path: "", word: inline(name, 60), more: String(earlier) });
    return name !== undefined && earlier === undefined;
  }

  private merge(value: unknown, line: number, depth: number): readonly Entry[] {
    const node = this.nodeFrom(value, depth + 1, line);
    const maps = node.is === "list" ? node.items : [node];
    return maps.flatMap((one) => {
      if (one.is === "map") return one.entries;
      this.problems.push({ rule: "bad-merge", line, path: "" });
      return [];
    });
  }

  private lineOf(node: unknown, from: number): number {
    const range = (node as { readonly range?: readonly number[] | null } | null | undefined)?.range;
    return range?.[0] === undefined ? from : lineOf(this.lines, range[0]);
  }
}

function nameOf({ value, source }: Scalar): string {
  return typeof value === "string" ? value : (source ?? String(value));
}

function nothing(line: number): Node {
  return { is: "value", line, value: null, text: "" };
}

function valueFrom({ value, source, type }: Scalar, line: number): Node {
  if (value === null || value === undefined) return nothing(line);
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const held = isPlain ? value : String(value);
  // Quoted words are what stands between the quotes; numbers keep their spelling.
  const text = typeof held === "string" || type !== Scalar.PLAIN ? String(held) : (source ?? String(held));
  return { is: "value", line, value: held, text };
}
