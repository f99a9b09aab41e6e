/** Masks secrets in anything that is written or shown. Every pattern is bounded and so linear on any input. */
import { isWord } from "./name-table.ts";
import { flags, operands } from "./secret-flags.ts";
import { isPlain, isPlainValue, NAME_MARKS, namesSecret, VALUE } from "./secret-names.ts";
import { blocks, MASK, MAY_HOLD_TOKEN, TOKEN_CHARS_MIN, tokens } from "./secret-shapes.ts";
import { traces } from "./secret-traces.ts";

/** Each is made once in a process, for the first text that needs it. */
const tables = {
  tokens: once(tokens),
  blocks: once(blocks),
  traces: once(traces),
  flags: once(flags),
  operands: once(operands),
};

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const DEPTH_MAX = 40;

/** A copy with every secret masked that its key, its context or its shape reveals. */
export function mask(value: unknown, onText: (text: string) => string = maskText, depth = 0): unknown {
  if (typeof value === "string") return onText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return "[nested too deeply]";
  if (Array.isArray(value)) {
    const isSecret = secretArguments(value);
    return value.map((entry, at) => (isSecret?.[at] ? MASK : mask(entry, onText, depth + 1)));
  }
  const isPair = namesSecret(pairName(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const isSecret = namesSecret(key) || (isPair && VALUE_FIELDS.has(key.toLowerCase()));
      const isMasked = isSecret && entry !== "" && !isPlainValue(key, entry);
      return [maskText(key), isMasked ? MASK : mask(entry, onText, depth + 1)];
    }),
  );
}

const VALUE_FIELDS: ReadonlySet<string> = new Set(["value", "val", "content", "text", "data"]);

/** `{ name: "API_KEY", value: … }`, as lists of variables, headers and fields are written. */
function pairName(value: object): string {
  const { name, key, header, field, variable } = value as Readonly<Record<string, unknown>>;
  return [name, key, header, field, variable].filter((word) => typeof word === "string" && word.length < 80).join(" ");
}

/** Longer lists are data, not arguments. */
const ARGUMENTS_MAX = 100;
const LOOK_BACK = 6;

/** Which entries of `["--password", "x"]` are secrets by the entries before them. */
function secretArguments(list: readonly unknown[]): readonly boolean[] | undefined {
  if (list.length < 2 || list.length > ARGUMENTS_MAX || !list.every(isShortText)) return undefined;
  const words = list as readonly string[];
  const line = words.map(quoted);
  if (maskText(line.join(" ")) === line.join(" ")) return undefined;
  return line.map((word, at) => {
    const from = Math.max(1, at - LOOK_BACK);
    const command = [line[0], ...line.slice(from, at), word].slice(at === 0 ? 1 : 0).join(" ");
    return maskText(word) === word && !maskText(command).endsWith(word);
  });
}

function isShortText(entry: unknown): boolean {
  return typeof entry === "string" && entry.length <= 2000;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~{}?#*!^$-]+$/.test(word) ? word : `'${word.replaceAll("'", " ")}'`;
}

export function maskText(value: string): string {
  return isShortWord(value) ? value : maskWhere(value);
}

/** Such as the keys of an input: a token is longer, and any other secret has a sign or a space before it. */
function isShortWord(value: string): boolean {
  return value.length < TOKEN_CHARS_MIN && isWord(value);
}

/** An address with a key in it is masked, but to call it is not to send a secret. */
export function holdsSecret(value: string): boolean {
  return maskWhere(value, ({ address }) => !address) !== value;
}

type Replace = (found: string, before: string, value: string) => string;

function maskWhere(
  value: string,
  isWanted: (row: { readonly address?: true }) => boolean = () => true,
  replace: Replace = masked,
): string {
  const lower = value.toLowerCase();
  let text = maskTokens(value);
  for (const shape of tables.blocks()) {
    if (isIn(value, shape) && isWanted(shape)) text = text.replace(shape.pattern(), shape.kept);
  }
  const isNamed = isIn(lower, { marks: NAME_MARKS });
  for (const trace of tables.traces())
    if ((isNamed || !trace.named) && isIn(lower, trace) && isWanted(trace))
      text = text.replace(trace.pattern(), replace);
  return maskFlags(text, lower, replace);
}

/** Replaces the second group of a match by the mask, unless it is no secret. */
function masked(found: string, before: string, value: string): string {
  return isPlain(value, before) ? found : `${before}${MASK}`;
}

/** A plain loop: each text is searched for some hundred marks. */
function isIn(text: string, { marks }: { readonly marks: readonly string[] }): boolean {
  for (let n = 0; n < marks.length; n++) if (text.includes(marks[n] as string)) return true;
  return false;
}

/** Only what is a token by its shape: for texts that must stay comparable otherwise, such as paths. */
export function maskTokens(value: string): string {
  if (!MAY_HOLD_TOKEN.test(value)) return value;
  let text = value;
  for (const shape of tables.tokens()) if (isIn(value, shape)) text = text.replace(shape.pattern(), shape.kept);
  return text;
}

/** Long, with digits among letters, as machines make it. */
const MADE = /^(?=.*\d.*\d|.*\d.*[A-Z]|.*[A-Z].*\d)(?=.*[a-zA-Z])[\w+/=~%!@#^*.:-]{10,400}$/;

/**
 * True for a file's content with a secret that is surely one: a token, a private key, a machine-made value where a
 * secret stands. A password in a test or an example is none.
 */
export function holdsKey(content: string): boolean {
  if ([...tables.blocks(), ...tables.tokens()].some((shape) => isIn(content, shape) && shape.pattern().test(content)))
    return true;
  let isFound = false;
  maskWhere(content, undefined, (found, before, value) => {
    isFound ||= !isPlain(value, before) && value.split(/[\s"',;]+/).some((word) => MADE.test(word));
    return found;
  });
  return isFound;
}

/** The rest of a simple command. */
const REST = `(?:[^|;&\\n"'\\\\]|\\\\.|"(?:[^"\\\\]|\\\\.){0,2000}(?:"|$)|'[^']{0,2000}(?:'|$)){0,2000}`;
const BEGINS = "(?:^|[\\n;&|(){}\"'`]\\s{0,8}|\\b(?:sudo|exec|time|nohup|command|then|do|else|run)\\s{1,4})";

/** Passwords after a known option or subcommand of a known program. */
function maskFlags(value: string, lower: string, replace: Replace): string {
  if (!OPTION_MARK.test(value)) return maskOperands(value, lower, replace);
  let text = value;
  for (const [mark, program, options] of tables.flags()) {
    if (!lower.includes(mark) || !options.split(" ").some((option) => text.includes(literal(option)))) continue;
    const command = new RegExp(`(?<![\\w.-])${blanks(program)}(?=[\\s"'])${REST}`, "g");
    text = text.replace(command, (found) => found.replace(optionPattern(options), replace));
  }
  return maskOperands(text, lower, replace);
}

const OPTION_MARK = /[\s"'](?:-|\/p)/;

function maskOperands(text: string, lower: string, replace: Replace): string {
  if (!tables.operands().some(([mark]) => lower.includes(mark))) return text;
  const before = `(${BEGINS}(?:${tables
    .operands()
    .map(([, words]) => blanks(words))
    .join("|")})\\s{1,4}(?:-[-\\w=]{1,40}\\s{1,4}){0,6})`;
  return text.replace(new RegExp(`${before}(?!-)(${VALUE})`, "g"), replace);
}

/** The beginning of an option's pattern that is plain text. */
function literal(option: string): string {
  return /^[\w:/-]*/.exec(option)?.[0] ?? "";
}

function blanks(words: string): string {
  return words.replaceAll(" ", "\\s{1,4}");
}

function optionPattern(options: string): RegExp {
  const sources = options.split(" ").map((option) => {
    if (option.endsWith("!")) return option.slice(0, -1);
    return option.endsWith("~") ? `${option.slice(0, -1)}[\\s=]{0,4}` : `${option}(?:[\\s=]{1,4}|["'],\\s?)`;
  });
  return new RegExp(`((?:^|[\\s"'])(?:${sources.join("|")}))(?![-\\s])(${VALUE})`, "g");
}

/** The substrings that are secrets by their shape: private keys, and tokens with a vendor prefix. */
export function secretShapes(value: string): readonly string[] {
  return [...tables.blocks(), ...tables.tokens()].flatMap((shape) =>
    shape.token && isIn(value, shape) ? (value.match(shape.pattern()) ?? []) : [],
  );
}
