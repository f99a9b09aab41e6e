/** What a command would print, where that follows from the line alone. */

import { basename, dirname } from "node:path/posix";
import type { Stream, Word } from "./shell-reading.ts";

export interface Printing {
  readonly name: string;
  readonly args: readonly Word[];
  readonly stdin: Stream | undefined;
  readonly cwd: string | undefined;
  fileText(path: Word): string | undefined;
}

const OUTPUT_MAX = 64 * 1024;

export function outputOf(printing: Printing): string | undefined {
  if (!Object.hasOwn(PRINTERS, printing.name)) return undefined;
  const text = PRINTERS[printing.name]?.(printing);
  return text !== undefined && text.length <= OUTPUT_MAX ? text : undefined;
}

const PRINTERS: Readonly<Record<string, (printing: Printing) => string | undefined>> = {
  ":": () => "",
  true: () => "",
  false: () => "",
  echo: ({ args }) => echo(args),
  printf: ({ args }) => printf(args),
  pwd: ({ cwd }) => cwd,
  // A fresh name below the temporary directory: which one does not matter.
  mktemp: () => "/tmp/tmp.mktemp",
  cat: (printing) => concatenated(printing),
  tee: ({ stdin }) => stdin?.text,
  base64: ({ args, stdin, fileText }) => (decodes(args) ? decode(input(args, stdin, fileText), fromBase64) : undefined),
  openssl: ({ args, stdin }) =>
    args.some(({ text }) => /^-?base64$|^-a$/.test(text)) && decodes(args)
      ? decode(stdin?.text, fromBase64)
      : undefined,
  xxd: ({ args, stdin }) => (args.some(({ text }) => /^-\w*r/.test(text)) ? decode(stdin?.text, fromHex) : undefined),
  rev: ({ stdin }) =>
    stdin?.text
      ?.split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n"),
  tr: ({ args, stdin }) => translate(args, stdin?.text),
  which: ({ args: [word] }) => (word?.literal && /^[\w.+-]+$/.test(word.text) ? `/usr/bin/${word.text}\n` : undefined),
  type: ({ args: [option, word] }) =>
    word?.literal && /^-[pP]$/.test(option?.text ?? "") ? `/usr/bin/${word.text}\n` : undefined,
  dirname: ({ args: [word] }) => (word?.literal ? `${dirname(word.text)}\n` : undefined),
  basename: ({ args: [word, suffix] }) =>
    word?.literal ? `${basename(word.text, suffix?.literal ? suffix.text : undefined)}\n` : undefined,
  cut: (printing) => byLine(printing, ["d", "f", "c", "b"], cutLine),
  head: (printing) => firstOf(printing),
  sed: (printing) => byLine(printing, [], substituteLine),
};

/** A filter that treats each line alike, on known text; operands that are files are not looked into. */
function byLine(
  { args, stdin }: Printing,
  values: readonly string[],
  line: (text: string, options: ReadonlyMap<string, string>, operand: string | undefined) => string | undefined,
): string | undefined {
  if (stdin?.text === undefined || args.some(({ literal }) => !literal)) return undefined;
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    const letter = text.charAt(1);
    if (!text.startsWith("-") || text === "-") operands.push(text);
    else if (!values.includes(letter)) return undefined;
    else if (text.length > 2) options.set(letter, text.slice(2));
    else {
      at += 1;
      options.set(letter, args[at]?.text ?? "");
    }
  }
  const lines = stdin.text.replace(/\n$/, "").split("\n");
  const done = lines.map((text) => line(text, options, operands[0]));
  if (operands.length > 1 || done.some((text) => text === undefined)) return undefined;
  return done.map((text) => `${text}\n`).join("");
}

/** `-c2-`, `-c1,3`, `-d: -f2`. */
function cutLine(text: string, options: ReadonlyMap<string, string>, operand: string | undefined): string | undefined {
  const fields = options.get("f");
  const list = fields ?? options.get("c") ?? options.get("b");
  if (list === undefined || operand !== undefined) return undefined;
  const separator = options.get("d") ?? "\t";
  const parts = fields === undefined ? [...text] : text.split(separator);
  const wanted = list.split(",").flatMap((range) => {
    const [, from = "", dash, to = ""] = /^(\d*)(-?)(\d*)$/.exec(range) ?? [];
    const first = from === "" ? 1 : Number(from);
    return parts.slice(first - 1, dash === "" ? first : to === "" ? undefined : Number(to));
  });
  return wanted.join(fields === undefined ? "" : separator);
}

function firstOf({ args, stdin }: Printing): string | undefined {
  const [, kind, attached] = /^-([nc]?)(\d*)$/.exec(args[0]?.text ?? "-n10") ?? [];
  const count = attached === "" ? args[1]?.text : attached;
  if (kind === undefined || stdin?.text === undefined || !/^\d+$/.test(count ?? "")) return undefined;
  if (kind === "c") return stdin.text.slice(0, Number(count));
  return stdin.text
    .split(/(?<=\n)/)
    .slice(0, Number(count))
    .join("");
}

/** `s/a/b/g` where the pattern is plain text. */
function substituteLine(text: string, _: ReadonlyMap<string, string>, script: string | undefined): string | undefined {
  const match = /^s(.)((?:(?!\1)[^\\[\]*.^$+?(){}|])*)\1((?:(?!\1)[^\\&])*)\1(g?)$/.exec(script ?? "");
  if (!match) return undefined;
  const [, , pattern = "", replacement = "", all] = match;
  return all ? text.replaceAll(pattern, () => replacement) : text.replace(pattern, () => replacement);
}

function echo(args: readonly Word[]): string | undefined {
  if (args.some(({ literal, glob }) => !literal || glob)) return undefined;
  const texts = args.map(({ text }) => text);
  let escapes = false;
  let newline = "\n";
  while (/^-[neE]+$/.test(texts[0] ?? "")) {
    const option = texts.shift() ?? "";
    if (option.includes("n")) newline = "";
    if (option.includes("e")) escapes = true;
  }
  const text = texts.join(" ");
  return (escapes ? withEscapes(text) : text) + newline;
}

function printf(args: readonly Word[]): string | undefined {
  const texts = args.map(({ text }) => text);
  if (args.some(({ literal }) => !literal) || texts[0] === "-v") return undefined;
  if (texts[0] === "--") texts.shift();
  const format = texts.shift();
  if (format === undefined) return "";
  let output = "";
  do {
    output += withEscapes(format).replace(/%(%|-?\d*(?:\.\d+)?[sbqdixXcu])/g, (_, kind: string) => {
      if (kind === "%") return "%";
      const value = texts.shift() ?? "";
      if (kind.endsWith("b")) return withEscapes(value);
      return kind.endsWith("c") ? value.charAt(0) : value;
    });
  } while (texts.length > 0 && format.includes("%") && output.length < OUTPUT_MAX);
  return output;
}

function withEscapes(text: string): string {
  const pattern = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|([abeEfnrtv\\'"]))/g;
  return text.replace(pattern, (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
    const digits = hex ?? short ?? long;
    if (digits !== undefined) return fromCode(Number.parseInt(digits, 16));
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
    return LETTERS[letter ?? ""] ?? letter ?? "";
  });
}

const LETTERS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function fromCode(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function concatenated({ args, stdin, fileText }: Printing): string | undefined {
  const files = args.filter(({ text }) => text === "-" || !text.startsWith("-"));
  if (files.length === 0) return stdin?.text;
  let all = "";
  for (const file of files) {
    const text = file.text === "-" ? stdin?.text : fileText(file);
    if (text === undefined) return undefined;
    all += text;
  }
  return all;
}

function decodes(args: readonly Word[]): boolean {
  return args.some(({ text }) => /^-(?:[diDw]*[dD]|-d\w*)/.test(text));
}

function input(args: readonly Word[], stdin: Stream | undefined, fileText: Printing["fileText"]): string | undefined {
  const file = args.find(({ text }) => !text.startsWith("-"));
  return file ? fileText(file) : stdin?.text;
}

function decode(text: string | undefined, decoder: (text: string) => string | undefined): string | undefined {
  return text === undefined ? undefined : decoder(text.replace(/\s+/g, ""));
}

function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let bits = 0;
  let held = 0;
  const bytes: number[] = [];
  for (const character of text.replace(/=+$/, "").replace(/-/g, "+").replace(/_/g, "/")) {
    held = ((held << 6) | alphabet.indexOf(character)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return utf8(bytes);
}

function fromHex(text: string): string | undefined {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) return undefined;
  return utf8((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

function utf8(bytes: readonly number[]): string {
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function translate(args: readonly Word[], text: string | undefined): string | undefined {
  const [first, second] = args;
  if (text === undefined || !first?.literal) return undefined;
  if (first.text === "-d" && second?.literal) return without(text, spread(second.text));
  if (first.text.startsWith("-") || !second?.literal) return undefined;
  const from = spread(first.text);
  const to = spread(second.text);
  return [...text]
    .map((character) => {
      const at = from.indexOf(character);
      return at < 0 ? character : (to[Math.min(at, to.length - 1)] ?? "");
    })
    .join("");
}

function without(text: string, set: readonly string[]): string {
  return [...text].filter((character) => !set.includes(character)).join("");
}

function spread(set: string): string[] {
  const named = set.replace("[:upper:]", "A-Z").replace("[:lower:]", "a-z").replace("[:space:]", " \t\n");
  return [
    ...withEscapes(named).replace(/(.)-(.)/gs, (_, low: string, high: string) => {
      const from = low.charCodeAt(0);
      const count = Math.max(0, Math.min(high.charCodeAt(0) - from, 255)) + 1;
      return Array.from({ length: count }, (__, index) => String.fromCharCode(from + index)).join("");
    }),
  ];
}
