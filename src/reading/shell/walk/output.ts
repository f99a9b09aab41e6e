/** Computes the output of a command if it follows from the line alone. */

import { baseName, directoryOf } from "../../../lib/paths.ts";
import {
  byLine,
  cutLine,
  firstOf,
  type Printing,
  substituteLine,
  translate,
  withEscapes,
} from "../commands/filters.ts";
import type { Stream, Word } from "../parse/reading.ts";

const OUTPUT_MAX = 64 * 1024;

export function outputOf(printing: Printing): string | undefined {
  const text = printed(printing);
  return text !== undefined && text.length <= OUTPUT_MAX ? text : undefined;
}

function printed(printing: Printing): string | undefined {
  const { args, stdin } = printing;
  switch (printing.name) {
    case ":":
    case "true":
    case "false":
      return "";
    case "echo":
      return echo(args);
    case "printf":
      return printf(args);
    case "pwd":
      return printing.cwd;
    case "mktemp":
      // A new name below the temporary directory; the exact name does not matter.
      return "/tmp/tmp.mktemp";
    case "cat":
      return concatenated(printing);
    case "tee":
      return stdin?.text;
    case "rev":
      return reversed(stdin?.text);
    case "tr":
      return translate(args, stdin?.text);
    case "cut":
      return byLine(printing, ["d", "f", "c", "b"], cutLine);
    case "head":
      return firstOf(printing);
    case "sed":
      return byLine(printing, [], substituteLine);
    case "which":
    case "type":
    case "dirname":
    case "basename":
      return pathOf(printing);
    case "base64":
    case "openssl":
    case "xxd":
      return decoded(printing);
    default:
      return undefined;
  }
}

function pathOf({ name, args: [first, second] }: Printing): string | undefined {
  if (name === "type")
    return second?.literal && /^-[pP]$/.test(first?.text ?? "") ? `/usr/bin/${second.text}\n` : undefined;
  if (!first?.literal) return undefined;
  if (name === "which") return /^[\w.+-]+$/.test(first.text) ? `/usr/bin/${first.text}\n` : undefined;
  if (name === "dirname") return `${directoryOf(first.text)}\n`;
  return `${baseName(first.text, second?.literal ? second.text : undefined)}\n`;
}

function decoded({ name, args, stdin, fileText }: Printing): string | undefined {
  if (name === "xxd") return args.some(({ text }) => /^-\w*r/.test(text)) ? decode(stdin?.text, fromHex) : undefined;
  if (!decodes(args)) return undefined;
  if (name === "base64") return decode(input(args, stdin, fileText), fromBase64);
  return args.some(({ text }) => /^-?base64$|^-a$/.test(text)) ? decode(stdin?.text, fromBase64) : undefined;
}

function reversed(text: string | undefined): string | undefined {
  return text
    ?.split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");
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
