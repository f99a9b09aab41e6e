/** Shells and language interpreters: the source of the text they run. */

import { names } from "../../../lib/name-table.ts";
import { absolute } from "../../../lib/paths.ts";
import type { Interpreter } from "../../programs/languages.ts";
import { cut, mayBeOption, operandStart, optionValues } from "../parse/options.ts";
import { GAP, type Invocation, literalWord, type Stream, type Unread, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler } from "../walk/call.ts";

const SHELLS = names("sh bash zsh ksh mksh dash ash fish csh tcsh rsh rbash yash elash osh xonsh elvish");

export function isShell(name: string): boolean {
  return name.endsWith("sh") && SHELLS.has(name);
}

/** `sh -c text`, `sh file`, `sh < text`, `… | sh`. */
export const shell: Handler = (call) => {
  const args = argsOf(call);
  const grammar = { short: "oO", long: ["--init-file", "--rcfile"] };
  let start = operandStart(args, grammar);
  // `+x` switches an option off.
  while (args[start]?.text.startsWith("+")) start = operandStart(args, grammar, start + 1);
  const options = args.slice(0, start);
  const operands = args.slice(start).filter(({ text }, index) => index > 0 || text !== "--");
  const open = options.find(mayBeOption);
  if (open) return emit(call, undefined, { text: undefined, from: open.from ?? [] });
  const inner = { ...call, via: [...call.via, call.argv[0]?.text.replace(/^.*\//, "") ?? "sh"] };
  if (options.some(({ text }) => /^-[a-zA-Z]*c/.test(text))) {
    const [script, zero, ...positional] = operands;
    if (!script) return emit(call);
    return call.runner.child({ ...inner, assignments: withZero(call, zero) }, script, positional);
  }
  for (const file of optionValues(options, ["--rcfile", "--init-file"])) {
    const text = fileStream(call, file)?.text;
    if (text !== undefined) call.runner.child(inner, { text, literal: true, glob: false, prefix: text });
  }
  const readsInput = options.some(({ text }) => /^-[a-z]*s$/.test(text));
  const file = readsInput ? undefined : operands[0];
  const positional = readsInput ? operands : operands.slice(1);
  const onlyChecks = options.some(({ text }) => /^(?:-[a-z]*n|--version|--help)$/.test(text));
  if (onlyChecks && !args.some(({ text }) => text === "+n")) return emit(call);
  return runSource(call, inner, file, positional);
};

function withZero(call: Call, zero: Word | undefined): Call["assignments"] {
  return zero ? [...call.assignments, { name: "0", value: zero }] : call.assignments;
}

function runSource(call: Call, inner: Call, file: Word | undefined, positional: readonly Word[]): Stream {
  const stream = file && file.text !== "-" ? fileStream(call, file) : call.stdin;
  if (!stream)
    return file && isFullyUnknown(file)
      ? emit(call, undefined, { text: undefined, from: file.from ?? [] })
      : emit(call);
  if (stream.text === undefined) return emit(call, undefined, unread(stream));
  // `… | exec sh` replaces this shell, so the new shell is recorded in addition to its input.
  if (!file && call.via.at(-1) === "exec") emit(call);
  // Encoding plain text is suspicious: decoded text is read, and still marked as unread.
  if (isDecoded(stream.from)) emit(call, undefined, unread(stream));
  const script = { text: stream.text, literal: true, glob: false, prefix: stream.text };
  return inner.runner.child({ ...inner, stdin: undefined }, script, positional);
}

/** Marks whether the text was encoded, since the usual reason to encode a command is to hide it. */
export function unread({ text, from }: Stream): Unread {
  return isDecoded(from) ? { text, from, decoded: true } : { text, from };
}

export function isDecoded(from: readonly Invocation[]): boolean {
  return from.some(
    ({ name, args }) =>
      name !== undefined &&
      (DECODERS.test(name) || (UNPACKERS.test(name) && args.some(({ text }) => UNPACKING.test(text)))),
  );
}

const DECODERS = /^(?:base64|base32|basenc|xxd|openssl|rev|uudecode|gunzip|zcat|bzcat|xzcat|zstdcat|gpg)$/;
const UNPACKERS = /^(?:tar|bsdtar|unzip|7z|7za|gzip|bzip2|xz|zstd|ar|cpio)$/;
const UNPACKING = /^-(?:\w*[dOpc]\w*|-(?:to-stdout|decompress|uncompress|stdout)|so)$|^p$/;

/** The content of a file that the same line produced. */
export function fileStream(call: Call, file: Word): Stream | undefined {
  if (/^\/dev\/(?:stdin|fd\/0)$/.test(file.text)) return call.stdin;
  if (/^\/dev\/(?:tcp|udp)\//.test(file.text)) return { text: undefined, from: emit(call).from };
  const path = file.literal ? absolute(file.text, call.cwd) : undefined;
  return path === undefined ? undefined : call.scope.files.get(path);
}

/** The line says nothing about the word, so it could be anything. */
export function isFullyUnknown({ text, literal }: Word): boolean {
  if (literal) return false;
  if (/^(?:\$\w+|\$\{\w+\}|\$[@*]|\u2026)(?: (?:\$\w+|\$\{\w+\}|\$[@*]|\u2026))+$/.test(text)) return true;
  return /^(?:\$\w+|\$\{\w+\}|`[^`]*`|\$[@*\d]|\u2026|\/dev\/fd\/.*)$/s.test(text) || isOneSubstitution(text);
}

function isOneSubstitution(text: string): boolean {
  let depth = 0;
  for (let at = 1; text.startsWith("$(") && at < text.length; at += 1) {
    if (text.charAt(at) === "(") depth += 1;
    else if (text.charAt(at) === ")") depth -= 1;
    if (depth === 0) return at === text.length - 1;
  }
  return false;
}

/** The Windows shell, called from Git Bash: it runs its input unless a command is given. */
export const windowsShell: Handler = (call) => {
  const given = argsOf(call).some(({ text }) => !text.startsWith("/"));
  return emit(call, undefined, given || !call.stdin ? undefined : unread(call.stdin));
};

/** Keeps inline program text, and marks a program that comes from an unread input. */
export function interpret(interpreter: Interpreter, call: Call): Stream {
  const args = argsOf(call);
  const { language, values = "", longValues = [] } = interpreter;
  const codes = codeArguments(args, interpreter);
  for (const code of codes) keep(call, language, code);
  if (language === "powershell" && args.some(({ text }) => /^-e(?:nc|ncoded\w*)?$/i.test(text)))
    return emit(call, undefined, { text: undefined, from: [], decoded: true });
  const open = openOption(args, codes, interpreter);
  if (open) return emit(call, undefined, open);
  if (codes.length > 0) return emit(call, printedBy(codes));
  if (args.some(({ text }) => text === "-m")) return emit(call);
  return interpretFile(language, args[operandStart(args, { short: values, long: longValues })], call);
}

function interpretFile(language: string, file: Word | undefined, call: Call): Stream {
  const stream = file && file.text !== "-" ? fileStream(call, file) : call.stdin;
  if (!stream) {
    const unnamed = file && isFullyUnknown(file);
    return unnamed ? emit(call, undefined, { text: undefined, from: file.from ?? [] }) : emit(call);
  }
  if (stream.text === undefined || isDecoded(stream.from)) emit(call, undefined, unread(stream));
  if (stream.text !== undefined) keep(call, language, literalWord(stream.text));
  return emit(call);
}

/** Code, or an option that may contain code, filled in by another command. After python's `-c` everything is data. */
function openOption(args: readonly Word[], codes: readonly Word[], interpreter: Interpreter): Unread | undefined {
  const unknown = codes.find((code) => isFullyUnknown(code) || (!code.literal && code.text.includes(GAP)));
  if (unknown) return { text: undefined, from: unknown.from ?? [] };
  if (codes.length > 0 && interpreter.language === "python") return undefined;
  const grammar = { short: `${interpreter.values ?? ""}${interpreter.code}`, long: interpreter.longCode ?? [] };
  const open = args.slice(0, operandStart(args, grammar) + 1).find(mayBeOption);
  return open && { text: undefined, from: open.from ?? [] };
}

/** The output of a program that only prints one literal. */
function printedBy(codes: readonly Word[]): string | undefined {
  const [code] = codes;
  if (codes.length !== 1 || !code?.literal) return undefined;
  const match = /^\s*(?:print|puts|echo|console\.log)\s*\(?\s*(['"])((?:(?!\1)[^\\])*)\1\s*\)?\s*;?\s*$/.exec(
    code.text,
  );
  return match ? `${match[2] ?? ""}\n` : undefined;
}

function codeArguments(args: readonly Word[], interpreter: Interpreter): Word[] {
  const found: Word[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (!arg?.text.startsWith("-")) break;
    const next = args[at + 1];
    const code = longCode(arg, next, interpreter) ?? shortCode(arg, next, interpreter.code, interpreter.values ?? "");
    found.push(...code);
    // The next word is the code or the value of this option.
    if (code[0] === next || takesNext(arg.text, interpreter)) at += 1;
  }
  return found;
}

function takesNext(text: string, { values = "", longValues }: Interpreter): boolean {
  return (/^-[A-Za-z]$/.test(text) && values.includes(text.charAt(1))) || longValues?.includes(text) === true;
}

function longCode(arg: Word, next: Word | undefined, { longCode: names = [] }: Interpreter): Word[] | undefined {
  const name = names.find((each) => arg.text.toLowerCase() === each || arg.text.startsWith(`${each}=`));
  if (name === undefined) return arg.text.startsWith("--") ? [] : undefined;
  if (arg.text.includes("=")) return [cut(arg, name.length + 1)];
  return next ? [next] : [];
}

/** `-c text`, `-ctext`, `-we text`: a letter that takes a value ends the cluster. */
function shortCode(arg: Word, next: Word | undefined, code: string, values: string): Word[] {
  for (let at = 1; at < arg.text.length; at += 1) {
    const letter = arg.text.charAt(at);
    // `-pe`: a cluster of such letters has its code in the next word.
    const isCluster = at < arg.text.length - 1 && [...arg.text.slice(at + 1)].every((each) => code.includes(each));
    if (code.includes(letter) && !isCluster) {
      if (at < arg.text.length - 1) return [cut(arg, at + 1)];
      return next ? [next] : [];
    }
    if (values.includes(letter) || !/[A-Za-z0-9]/.test(letter)) return [];
  }
  return [];
}

export function keep(call: Call, language: string, { text, literal }: Word): void {
  call.runner.reader.programs.push({ language, text, literal, cwd: call.cwd });
}
