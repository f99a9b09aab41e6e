/** The output of simple filters on known text. */

import type { Stream, Word } from "../parse/reading.ts";

/** A command and the known part of its input. */
export interface Printing {
  readonly name: string;
  readonly args: readonly Word[];
  readonly stdin: Stream | undefined;
  readonly cwd: string | undefined;
  fileText(path: Word): string | undefined;
}

/** A filter that treats each line alike, applied to known text; operands that are files are not read. */
export function byLine(
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
export function cutLine(
  text: string,
  options: ReadonlyMap<string, string>,
  operand: string | undefined,
): string | undefined {
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

export function firstOf({ args, stdin }: Printing): string | undefined {
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
export function substituteLine(
  text: string,
  _: ReadonlyMap<string, string>,
  script: string | undefined,
): string | undefined {
  const match = /^s(.)((?:(?!\1)[^\\[\]*.^$+?(){}|])*)\1((?:(?!\1)[^\\&])*)\1(g?)$/.exec(script ?? "");
  if (!match) return undefined;
  const [, , pattern = "", replacement = "", all] = match;
  return all ? text.replaceAll(pattern, () => replacement) : text.replace(pattern, () => replacement);
}

export function translate(args: readonly Word[], text: string | undefined): string | undefined {
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

export function withEscapes(text: string): string {
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
