/** The side effects of a sed script: `e` runs commands, `w` writes files. */

import { hasOption, operandStart, optionValues } from "../parse/options.ts";
import { literalWord, type Redirect } from "../parse/reading.ts";
import { argsOf, emit, type Handler, inside } from "../walk/call.ts";
import { outputOf } from "../walk/output.ts";

export const sed: Handler = (call) => {
  const args = argsOf(call);
  const named = optionValues(args, ["-e", "--expression"]);
  const first = args[operandStart(args, { short: "efl", long: ["--expression", "--file", "--line-length"] })];
  const fromFile = hasOption(args, "f", "--file");
  const scripts = named.length > 0 || fromFile || !first ? named : [first];
  // `--sandbox` would reject both. `-s` and `-z` do not matter here.
  const commands = scripts.flatMap(({ text }) => commandsIn(text));
  const writes = commands.flatMap(({ file }): Redirect[] =>
    file === undefined ? [] : [{ kind: "write", target: literalWord(file) }],
  );
  const printed = outputOf({ name: "sed", args, stdin: call.stdin, cwd: call.cwd, fileText: () => undefined });
  const runsText = commands.some(({ runsText: runs }) => runs);
  const unread = runsText ? { text: undefined, from: call.stdin?.from ?? [], named: true as const } : undefined;
  const noted = emit({ ...call, redirects: [...call.redirects, ...writes] }, printed, unread);
  for (const { script } of commands) {
    if (script !== undefined) call.runner.child(inside(call, []), literalWord(script));
  }
  return noted;
};

interface SedCommand {
  readonly script?: string;
  readonly file?: string;
  /** The `e` command runs the edited line itself. */
  readonly runsText?: true;
}

/** Parses enough of sed's grammar to tell commands from the text they edit. */
function commandsIn(text: string): SedCommand[] {
  const found: SedCommand[] = [];
  let at = 0;
  for (let round = 0; round < COMMANDS_MAX && at < text.length; round += 1) {
    const { end, commands } = commandAt(text, afterAddress(text, at));
    found.push(...commands);
    at = end;
  }
  return found;
}

function commandAt(text: string, at: number): { readonly end: number; readonly commands: readonly SedCommand[] } {
  const letter = text.charAt(at);
  if (letter === "s" || letter === "y") {
    const { end, flags } = substitution(text, at);
    return { end, commands: flagged(flags) };
  }
  if (!/[ewWaicrRbtT:#]/.test(letter)) return { end: at + 1, commands: [] };
  const line = text.slice(at + 1).split("\n")[0] ?? "";
  const end = at + 1 + line.length;
  const rest = line.trim();
  if (letter === "e") return { end, commands: [rest === "" ? { runsText: true } : { script: rest }] };
  return { end, commands: letter === "w" || letter === "W" ? [{ file: rest }] : [] };
}

const COMMANDS_MAX = 200;

/** Skips numbers, `$`, `/patterns/` and separators between commands. */
function afterAddress(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const letter = text.charAt(at);
    if (letter === "/") at = delimited(text, at + 1, "/");
    else if (letter === "\\") at = delimited(text, at + 2, text.charAt(at + 1));
    else if (/[\d$,!~+\s;{}I]/.test(letter)) at += 1;
    else break;
  }
  return at;
}

/** The position after the next `mark` that is neither escaped nor in brackets. */
export function delimited(text: string, from: number, mark: string): number {
  let inside = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === "\\") at += 1;
    else if (letter === "[") inside = true;
    else if (letter === "]") inside = false;
    else if (letter === mark && !inside) return at + 1;
  }
  // An unclosed bracket is an ordinary character.
  const plain = text.indexOf(mark, from);
  return plain < 0 ? text.length : plain + 1;
}

function substitution(text: string, at: number): { readonly end: number; readonly flags: string } {
  const mark = text.charAt(at + 1);
  const middle = delimited(text, at + 2, mark);
  const start = delimited(text, middle, mark);
  const flags = /^(?:[gpiImMe\d]*w[^\n]*|[gpiImMe\d]*)/.exec(text.slice(start))?.[0] ?? "";
  return { end: start + flags.length, flags };
}

function flagged(flags: string): SedCommand[] {
  const [, letters = "", file] = /^([^w]*)(?:w\s*(.*))?$/s.exec(flags) ?? [];
  return [...(letters.includes("e") ? [{ runsText: true as const }] : []), ...(file ? [{ file }] : [])];
}
