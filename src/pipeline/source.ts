/** A file as a tree with lines, whatever notation it was written in. Aliases and merge keys are resolved. */

export type Node = MapNode | ListNode | ValueNode;

export interface MapNode {
  readonly is: "map";
  readonly line: number;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly key: string;
  readonly line: number;
  readonly value: Node;
}

export interface ListNode {
  readonly is: "list";
  readonly line: number;
  readonly items: readonly Node[];
}

export interface ValueNode {
  readonly is: "value";
  readonly line: number;
  readonly value: string | number | boolean | null;
  /** As it is written: `1.10` is not the number 1.1. */
  readonly text: string;
}

export function isNull(node: Node): boolean {
  return node.is === "value" && node.value === null;
}

/** In one line, as prose: a list is joined, a map keeps its keys. */
export function textOf(node: Node): string {
  if (node.is === "value") return node.value === null ? "" : node.text;
  if (node.is === "list") return node.items.map(textOf).join("; ");
  return node.entries.map(({ key, value }) => `${key}: ${textOf(value)}`).join(", ");
}
