/** Console output: aligned tables, colours only on a terminal, wrapped text. */
import stringWidth from "fast-string-width";
import colors from "picocolors";
import type { Decision } from "../state/decision.ts";

/** No colours in a pipe, not even in CI, unless FORCE_COLOR is set. */
const isSeen = process.stdout.isTTY === true || Boolean(process.env["FORCE_COLOR"]);

export const paint = colors.createColors(colors.isColorSupported && isSeen);

export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a sentence: wrapped on a terminal, unwrapped for other programs. */
export function sayWords(words: string, indent = ""): void {
  say(process.stdout.isTTY ? wrap(words, terminalColumns(), indent) : words);
}

export function sayDone(words: string): void {
  sayWords(`${paint.green("✔")} ${words}`, "  ");
}

export function sayCaution(words: string): void {
  sayWords(`${paint.yellow("!")} ${words}`, "  ");
}

/** A part of an explanation, with its label before it. */
export function sayPart(label: string, words: string, indent = "    ", labelWidth = 8): void {
  const start = indent + label.padEnd(labelWidth);
  say(start + wrap(words, terminalColumns(), " ".repeat(start.length)));
}

export function sayJson(value: unknown): void {
  say(JSON.stringify(value, null, 2));
}

export function paintDecision(decision: Decision, label: string = decision): string {
  if (decision === "deny") return paint.red(label);
  return decision === "ask" ? paint.yellow(label) : paint.green(label);
}

/** Rows of cells; the last column takes the remaining width. */
export function table(rows: readonly (readonly string[])[], indent = ""): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => width(row[at] ?? ""))));
  return rows
    .map((row) => {
      const before = row.slice(0, -1).map((cell, at) => `${pad(cell, widths[at] ?? 0)}  `);
      const start = indent + before.join("");
      return start + fitted(row.at(-1) ?? "", width(start));
    })
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Wraps a cell at the terminal's edge, below its own column. Cells with line breaks are already laid out. */
function fitted(cell: string, start: number): string {
  if (!process.stdout.isTTY || cell.includes("\n")) return cell;
  return wrap(cell, terminalColumns(), " ".repeat(start));
}

export function pad(cell: string, size: number): string {
  return cell + " ".repeat(Math.max(0, size - width(cell)));
}

/** Columns a text takes on a terminal: colour codes take none, East Asian wide characters and emoji two. */
export function width(text: string): number {
  // Where a tab ends depends on what stands before it; none of our lines has one.
  return stringWidth(text, { tabWidth: 1 });
}

/** Cut to that many columns; a mark at the end says that there was more. */
export function clip(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (width(cut + character) >= columns) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Breaks at spaces (or anywhere in text without spaces) so that lines fit. */
export function wrap(text: string, columns: number, indent = ""): string {
  const room = Math.max(20, columns - width(indent));
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, room))
    .map((line, at) => (at === 0 ? line : indent + line))
    .join("\n");
}

function wrapLine(line: string, room: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)|(?<=[\u3001\u3002])/).flatMap((part) => fittingParts(part, room))) {
    if (width(current + word.trimEnd()) > room && current !== "") {
      lines.push(current.trimEnd());
      current = "";
    }
    current += word;
  }
  return [...lines, current.trimEnd()];
}

/** Text in Japanese may break between any two letters; a word in Latin letters stays whole. */
function fittingParts(word: string, room: number): readonly string[] {
  if (width(word.trimEnd()) <= room || !/[\u3040-\u30ff\u4e00-\u9fff]/.test(word)) return [word];
  return word.split(/(?<=[\u3040-\u30ff\u4e00-\u9fff])(?![\u3001\u3002\u30fc])/);
}

export function terminalColumns(): number {
  return Math.min(process.stdout.columns || 100, 120);
}
