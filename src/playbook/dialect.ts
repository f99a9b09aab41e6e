/** Tells whose format a plan has, by what only that format writes. */
import type { Item } from "./outline.ts";
import type { Dialect } from "./playbook.ts";

/** The first that fits. */
const SIGNS: readonly (readonly [Dialect, (items: readonly Item[]) => boolean])[] = [
  ["v16", (items) => some(items, "heading", /^p(?:\d+|_final)\s*[:：]/i) || some(items, "box", /^\*\*p\w*\.\d+\*\*/)],
  ["spec-kit", (items) => some(items, "box", /^T\d{3,}\b/)],
  ["superpowers", (items) => some(items, "heading", /^Task \d+\b/) && some(items, "box", /^\*\*Step \d+/)],
  ["kiro", (items) => some(items, "box", /^\*?\s*\d+\.\s/) || some(items, "prose", /^_Requirements: /)],
  ["openspec", (items) => some(items, "heading", /^\d+\.\s/) && some(items, "box", /^\d+\.\d+\s/)],
  ["sekisho", (items) => items.some((item) => item.kind === "field" && (item.key === "what" || item.key === "done"))],
];

export function dialectOf(items: readonly Item[]): Dialect {
  return SIGNS.find(([, fits]) => fits(items))?.[0] ?? "checklist";
}

function some(items: readonly Item[], kind: "heading" | "box" | "prose", pattern: RegExp): boolean {
  return items.some((item) => item.kind === kind && pattern.test(item.words));
}
