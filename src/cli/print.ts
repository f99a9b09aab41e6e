/** How commands look: tables that line up, colours only on a terminal, words that wrap. */
import colors from "picocolors";
import type { Decision } from "../state/decision.ts";
import { HostFileError } from "../world/host-file-writing.ts";

/** Nobody looks at a pipe, not even where a build server runs us; who wants colours there says so. */
const isSeen = process.stdout.isTTY === true || Boolean(process.env["FORCE_COLOR"]);

export const paint = colors.createColors(colors.isColorSupported && isSeen);

export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** A sentence for a person: broken at the edge of a terminal, and whole where another program reads it. */
export function sayWords(words: string, indent = ""): void {
  say(process.stdout.isTTY ? wrap(words, terminalColumns(), indent) : words);
}

export function sayJson(value: unknown): void {
  say(JSON.stringify(value, null, 2));
}

/** A mistake of the caller, or something that stops the command: told on stderr, exit code 1. */
export class CommandError extends Error {}

/** An error whose words are all that a person needs. */
export function isTold(error: unknown): error is CommandError | HostFileError {
  return error instanceof CommandError || error instanceof HostFileError;
}

export function paintDecision(decision: Decision, label: string = decision): string {
  if (decision === "deny") return paint.red(label);
  return decision === "ask" ? paint.yellow(label) : paint.green(label);
}

/** Rows of cells; the last column takes what is left of the terminal. */
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

/** Broken at the edge of a terminal, below itself. What has lines of its own is laid out already. */
function fitted(cell: string, start: number): string {
  if (!process.stdout.isTTY || cell.includes("\n")) return cell;
  return wrap(cell, terminalColumns(), " ".repeat(start));
}

export function pad(cell: string, size: number): string {
  return cell + " ".repeat(Math.max(0, size - width(cell)));
}

/** Columns a text takes on a terminal: colour codes take none, East Asian wide characters two. */
export function width(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins every colour code.
  const plain = text.replace(/\u001b\[[0-9;]*m/g, "");
  let columns = 0;
  for (const character of plain) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/;

/** Breaks at blanks (or anywhere in text without blanks) so that nothing runs over the edge. */
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
  for (const word of line.split(/(?<=\s)|(?<=[\u3001\u3002])/)) {
    if (width(current + word.trimEnd()) > room && current !== "") {
      lines.push(current.trimEnd());
      current = "";
    }
    current += word;
  }
  return [...lines, current.trimEnd()];
}

export function terminalColumns(): number {
  return Math.min(process.stdout.columns || 100, 120);
}
