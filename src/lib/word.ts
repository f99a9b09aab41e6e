/** Names that people and programs make up for things: ids, types, threads. */

const WORD = /^[\w.:-]{1,40}$/;

export function isWord(value: unknown): value is string {
  return typeof value === "string" && WORD.test(value);
}
