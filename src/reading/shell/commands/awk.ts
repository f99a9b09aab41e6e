/** awk: its program text, and the commands and files in it. */

import { mayBeOption, operandStart, optionValues } from "../parse/options.ts";
import { literalWord, type Redirect, type Stream } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside } from "../walk/call.ts";
import { fileStream, isFullyUnknown, keep } from "./interpreters.ts";

/** The first operand is the program, unless an option contains or names it. */
export const awk: Handler = (call) => {
  const args = argsOf(call);
  const files = optionValues(args, ["-f", "--file", "-E", "--exec"]);
  const sources = optionValues(args, ["-e", "--source"]);
  const first = args[operandStart(args, { short: "FvfeEio", long: ["--file", "--source", "--include"] })];
  const programs = files.length + sources.length > 0 || !first ? sources : [first];
  // After the program everything is data; after `-f file` another option may follow.
  const open = first && !programs.includes(first) && args.every(({ text }) => text !== "--") && mayBeOption(first);
  const unknown = [...files, ...programs].find(isFullyUnknown) ?? (open ? first : undefined);
  const texts = [...programs.map(({ text }) => text), ...files.flatMap((file) => fileStream(call, file)?.text ?? [])];
  for (const program of programs) keep(call, "awk", program);
  const redirects = [...call.redirects, ...texts.flatMap(writesIn)];
  const noted = emit(
    { ...call, redirects },
    texts.length === 1 ? printed(texts[0] ?? "", call.stdin) : undefined,
    unknown && {
      text: undefined,
      from: unknown.from ?? [],
      ...(!programs.includes(unknown) && { file: true as const }),
    },
  );
  for (const { command, fed } of texts.flatMap(commandsIn)) runFed(call, command, fed);
  return noted;
};

function runFed(call: Call, command: string, fed: string | undefined): void {
  const stdin: Stream = { text: fed, from: call.stdin?.from ?? [] };
  call.runner.child(inside(call, [], { stdin, redirects: [] }), literalWord(command));
}

const STRING = String.raw`"((?:[^"\\\n]|\\.)*)"`;

/** `print … | "command"`, `"command" | getline`, `system("command")`. */
function commandsIn(source: string): { readonly command: string; readonly fed: string | undefined }[] {
  const program = withoutComparisons(spelledOut(source));
  const fed = new RegExp(`(?:print\\w*\\s*\\(?\\s*${STRING}\\s*\\)?\\s*)?\\|&?\\s*${STRING}`, "g");
  const read = new RegExp(`${STRING}\\s*\\|&?\\s*getline|system\\s*\\(\\s*${STRING}\\s*\\)`, "g");
  return [
    ...[...program.matchAll(fed)].map((match) => ({
      command: unescaped(match[2] ?? ""),
      fed: match[1] === undefined ? undefined : `${unescaped(match[1])}\n`,
    })),
    ...[...program.matchAll(read)].map((match) => ({ command: unescaped(match[1] ?? match[2] ?? ""), fed: "" })),
  ].slice(0, COMMANDS_MAX);
}

/**
 * A string that is only a pipe, as in `$i == "|"`, starts nothing. Where a pattern or a comment could hold a quote, it is
 * not certain which quotes belong together, and the text stays as it is.
 */
function withoutComparisons(program: string): string {
  if (/[/#]/.test(program)) return program;
  return program.replace(new RegExp(STRING, "g"), (all, text: string) => (text === "|" ? '""' : all));
}

/** Joins adjacent strings, and replaces variables by the strings assigned to them. */
function spelledOut(program: string): string {
  const text = program.slice(0, TEXT_MAX);
  const values = new Map(
    [...text.matchAll(new RegExp(`\\b(\\w+)\\s*=\\s*${STRING}`, "g"))].map((match) => [match[1], match[2]]),
  );
  return text
    .replace(/(system\s*\(\s*|\|&?\s*)(\w+)/g, (all, lead: string, name: string) =>
      values.has(name) ? `${lead}"${values.get(name)}"` : all,
    )
    .replace(/(?<=[^\\])"[ \t]+"/g, "");
}

const TEXT_MAX = 16_384;
const COMMANDS_MAX = 10;

/** `print > "file"`. */
function writesIn(program: string): Redirect[] {
  const writes = [...program.matchAll(new RegExp(`print[^;}\\n]*?(>>?)\\s*${STRING}`, "g"))];
  return writes.slice(0, COMMANDS_MAX).map(([, operator, file = ""]) => ({
    kind: operator === ">>" ? "append" : "write",
    target: literalWord(unescaped(file)),
  }));
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** The output of `{print $2}` on known text, and of `BEGIN{print "text"}`. */
function printed(program: string, stdin: Stream | undefined): string | undefined {
  const text = new RegExp(`^\\s*BEGIN\\s*\\{\\s*print\\s*\\(?\\s*${STRING}\\s*\\)?\\s*;?\\s*\\}\\s*$`).exec(program);
  if (text) return `${unescaped(text[1] ?? "")}\n`;
  const field = /^\s*\{\s*print\s+\$(\d+)\s*;?\s*\}\s*$/.exec(program);
  if (!field || stdin?.text === undefined) return undefined;
  const at = Number(field[1]);
  return lines(stdin.text)
    .map((line) => (at === 0 ? line : (line.trim().split(/\s+/)[at - 1] ?? "")))
    .map((line) => `${line}\n`)
    .join("");
}

function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
