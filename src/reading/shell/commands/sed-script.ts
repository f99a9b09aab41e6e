/** Applies a sed script to a text, closely enough to see which lines are lost. */
import { mayMatch, substituted } from "../../../lib/line-pattern.ts";
import { delimited } from "./sed.ts";

type Address = { readonly line: number } | { readonly last: true } | { readonly pattern: string };

interface Range {
  readonly from?: Address;
  readonly to?: Address | { readonly more: number };
  readonly others?: true;
}

interface Step {
  readonly ranges: readonly Range[];
  readonly letter: string;
  /** For `s` the pattern and the replacement; for `a`, `i`, `c` the text. */
  readonly words: readonly string[];
  readonly everywhere: boolean;
}

const STEPS_MAX = 100;

export function sedText(script: string, text: string): string {
  return stepsOf(script)
    .reduce((lines, step) => applied(step, lines), text.split("\n"))
    .join("\n");
}

function applied({ ranges, letter, words: [first = "", second = ""], everywhere }: Step, lines: string[]): string[] {
  const chosen = ranges.map((range) => selected(range, lines));
  return lines.flatMap((line, at) => {
    if (!chosen.every((set) => set.has(at))) return [line];
    switch (letter) {
      case "d":
      case "D":
        return [];
      case "c":
        return [first];
      case "a":
        return [line, first];
      case "i":
        return [first, line];
      case "s":
        return substituted(line, first, second, everywhere).split("\n");
      default:
        return [line];
    }
  });
}

function selected({ from, to, others }: Range, lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let until = -1;
  lines.forEach((line, at) => {
    const begins = at > until && (from === undefined || isAt(from, line, at, lines.length));
    if (begins) until = to === undefined ? at : endOf(to, at, lines);
    if (at <= until !== (others === true)) found.add(at);
  });
  return found;
}

function endOf(to: NonNullable<Range["to"]>, at: number, lines: readonly string[]): number {
  if ("more" in to) return at + to.more;
  if ("line" in to) return Math.max(at, to.line - 1);
  const end = lines.findIndex((line, index) => index > at && isAt(to, line, index, lines.length));
  return end < 0 ? lines.length - 1 : end;
}

function isAt(address: Address, line: string, at: number, count: number): boolean {
  if ("line" in address) return address.line - 1 === at;
  return "last" in address ? at === count - 1 : mayMatch(address.pattern, line) !== undefined;
}

function stepsOf(script: string): readonly Step[] {
  const steps: Step[] = [];
  const open: Range[] = [];
  let at = 0;
  for (let round = 0; round < STEPS_MAX && at < script.length; round += 1) {
    at += /^[\s;]*/.exec(script.slice(at))?.[0].length ?? 0;
    const { range, end } = rangeAt(script, at);
    const letter = script.charAt(end);
    at = end + 1;
    if (letter === "{") open.push(range);
    else if (letter === "}") open.pop();
    else if (letter !== "") {
      const { words, next, everywhere } = wordsOf(letter, script, at);
      steps.push({ ranges: [...open, range], letter, words, everywhere });
      at = next;
    }
  }
  return steps;
}

function rangeAt(script: string, start: number): { readonly range: Range; readonly end: number } {
  const from = addressAt(script, start);
  if (!from) return { range: {}, end: start };
  let end = blanks(script, from.end);
  let to: Range["to"];
  if (script.charAt(end) === ",") {
    const more = /^\s*[+~](\d+)/.exec(script.slice(end + 1));
    const second = addressAt(script, blanks(script, end + 1));
    to = more ? { more: Number(more[1]) } : second?.address;
    end = more ? end + 1 + more[0].length : (second?.end ?? end + 1);
  }
  end = blanks(script, end);
  const others = script.charAt(end) === "!";
  const range = { from: from.address, ...(to && { to }), ...(others && { others: true as const }) };
  return { range, end: others ? blanks(script, end + 1) : end };
}

function addressAt(script: string, at: number): { readonly address: Address; readonly end: number } | undefined {
  const number = /^\d+/.exec(script.slice(at, at + 12))?.[0];
  if (number !== undefined) return { address: { line: Number(number) }, end: at + number.length };
  const letter = script.charAt(at);
  if (letter === "$") return { address: { last: true }, end: at + 1 };
  const begin = letter === "/" ? at + 1 : letter === "\\" ? at + 2 : -1;
  if (begin < 0) return undefined;
  const close = delimited(script, begin, script.charAt(begin - 1));
  const flags = /^I/.exec(script.slice(close))?.[0].length ?? 0;
  return { address: { pattern: script.slice(begin, close - 1) }, end: close + flags };
}

function blanks(script: string, at: number): number {
  return at + (/^[ \t]*/.exec(script.slice(at))?.[0].length ?? 0);
}

function wordsOf(
  letter: string,
  script: string,
  at: number,
): Omit<Step, "ranges" | "letter"> & { readonly next: number } {
  if (letter === "s" || letter === "y") {
    const mark = script.charAt(at);
    const middle = delimited(script, at + 1, mark);
    const close = delimited(script, middle, mark);
    const flags = /^\w*/.exec(script.slice(close))?.[0] ?? "";
    const words = [script.slice(at + 1, middle - 1), script.slice(middle, close - 1)];
    return { words, everywhere: flags.includes("g"), next: close + flags.length };
  }
  if (!/[aicrRwWbtTe:#]/.test(letter)) return { words: [], everywhere: false, next: at };
  const line = /^[^\n]*/.exec(script.slice(at))?.[0] ?? "";
  return { words: [line.replace(/^\\?\s*/, "")], everywhere: false, next: at + line.length };
}
