/** Reads a condition. Written out instead of evaluated, so that no text of a file or a person ever runs. */
import { COMPARISONS, type Comparison, type Expression } from "./expression.ts";

const LENGTH_MAX = 500;
const DEPTH_MAX = 20;

export type Parsed = { readonly expression: Expression } | { readonly unreadAt: string };

interface Token {
  readonly is: "text" | "number" | "word" | "sign" | "end";
  readonly text: string;
}

const TOKEN =
  /\s*(?:'([^']*)'|"([^"]*)"|(\d+(?:\.\d+)?)(?![\w])|([\p{L}_][\p{L}\p{N}_.-]*)|(==|!=|<=|>=|&&|\|\||[<>!()]))/uy;

export function parseCondition(source: string): Parsed {
  const plain = source.trim().replace(/^\$\{\{(.*)\}\}$/s, "$1");
  if (plain.trim() === "" || plain.length > LENGTH_MAX) return { unreadAt: plain.slice(0, 40) };
  const tokens = tokensOf(plain);
  if (!Array.isArray(tokens)) return { unreadAt: tokens.unread };
  const reader = new Reader(tokens);
  const expression = reader.either(0);
  return expression && reader.next.is === "end" ? { expression } : { unreadAt: reader.next.text || plain.slice(-20) };
}

function tokensOf(source: string): Token[] | { readonly unread: string } {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(source);
    if (!found) return { unread: source.slice(from).trim().slice(0, 20) };
    const [, single, double, number, word, sign = ""] = found;
    const text = single ?? double;
    if (text !== undefined) tokens.push({ is: "text", text });
    else if (number !== undefined) tokens.push({ is: "number", text: number });
    else if (word === undefined) tokens.push({ is: "sign", text: sign });
    else tokens.push(SIGNS[word] === undefined ? { is: "word", text: word } : { is: "sign", text: SIGNS[word] });
  }
  return tokens;
}

const SIGNS: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  and: "&&",
  or: "||",
  not: "!",
});
const WORDS: Readonly<Record<string, boolean | null | undefined>> = Object.assign(Object.create(null), {
  true: true,
  false: false,
  null: null,
});

/** Each method reads one level of the grammar and gives nothing where the text does not fit. */
class Reader {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get next(): Token {
    return this.tokens[this.at] ?? { is: "end", text: "" };
  }

  either(depth: number): Expression | undefined {
    return this.chain("||", "or", () => this.chain("&&", "and", () => this.negated(depth)));
  }

  private chain(sign: string, is: "and" | "or", part: () => Expression | undefined): Expression | undefined {
    let left = part();
    while (left && this.takes(sign)) {
      const right = part();
      left = right && { is, left, right };
    }
    return left;
  }

  private negated(depth: number): Expression | undefined {
    if (depth > DEPTH_MAX) return undefined;
    if (!this.takes("!")) return this.compared(depth);
    const of = this.negated(depth + 1);
    return of && { is: "not", of };
  }

  private compared(depth: number): Expression | undefined {
    const left = this.single(depth);
    const operator = COMPARISONS.find((one) => this.next.is === "sign" && this.next.text === one);
    if (!left || !operator) return left;
    this.at++;
    const right = this.single(depth);
    return right && { is: "compare", operator: operator satisfies Comparison, left, right };
  }

  private single(depth: number): Expression | undefined {
    if (this.takes("(")) {
      const inside = this.either(depth + 1);
      return inside && this.takes(")") ? inside : undefined;
    }
    const { is, text } = this.next;
    if (is === "sign" || is === "end") return undefined;
    this.at++;
    if (is === "text") return { is: "value", value: text };
    if (is === "number") return { is: "value", value: Number(text) };
    const value = WORDS[text];
    return value === undefined ? { is: "name", path: text.split(".") } : { is: "value", value };
  }

  private takes(sign: string): boolean {
    const isHere = this.next.is === "sign" && this.next.text === sign;
    if (isHere) this.at++;
    return isHere;
  }
}
