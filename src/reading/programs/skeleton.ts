/** Splits program text into code and strings, so that words inside a string are not read as code. */

export interface Skeleton {
  /** The code, with each string replaced by its number between marks. */
  readonly code: string;
  readonly strings: readonly { readonly text: string; readonly quote: string }[];
}

export const MARK = "\u0001";
const TEXT_MAX = 32 * 1024;

export function skeletonOf(language: string, source: string): Skeleton {
  const text = source.slice(0, TEXT_MAX);
  const strings: { text: string; quote: string }[] = [];
  let code = "";
  let at = 0;
  while (at < text.length) {
    const skipped = comment(language, text, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const { open, close, quote } = commandQuote(language, text, at) ?? plainQuote(language, text, at);
    if (open === "") {
      code += text.charAt(at);
      at += 1;
      continue;
    }
    const end = endOfString(text, at + open.length, close);
    strings.push({ text: unescaped(text.slice(at + open.length, end)), quote });
    code += `${MARK}${strings.length - 1}${MARK}`;
    at = end + close.length;
  }
  return { code, strings };
}

interface Quote {
  readonly open: string;
  readonly close: string;
  /** The kind of string, whichever delimiters are used. */
  readonly quote: string;
}

function plainQuote(language: string, text: string, at: number): Quote {
  const quote = quoteAt(language, text, at);
  return { open: quote, close: quote, quote };
}

/** perl's `qx{…}` and ruby's `%x(…)` are other forms of backquotes. */
function commandQuote(language: string, text: string, at: number): Quote | undefined {
  const isNamed =
    (language === "perl" && text.startsWith("qx", at)) || (language === "ruby" && text.startsWith("%x", at));
  const isInside = language === "perl" && /\w/.test(text.charAt(at - 1));
  const mark = text.charAt(at + 2);
  if (!isNamed || isInside || !/[^\w\s]/.test(mark)) return undefined;
  return { open: text.slice(at, at + 3), close: CLOSING[mark] ?? mark, quote: "`" };
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "<": ">" };

function quoteAt(language: string, text: string, at: number): string {
  const character = text.charAt(at);
  if (character !== "'" && character !== '"' && character !== "`") return "";
  if (character === "`" && language === "python") return "";
  const triple = character.repeat(3);
  return language === "python" && text.startsWith(triple, at) ? triple : character;
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at;
  }
  return text.length;
}

const HASH = new Set(["python", "ruby", "perl", "php", "awk", "r", "julia", "elixir", "powershell"]);

function comment(language: string, text: string, at: number): number {
  const hash = text.charAt(at) === "#" && HASH.has(language) && (at === 0 || /[\s;]/.test(text.charAt(at - 1)));
  const slashes = text.startsWith("//", at) && (language === "javascript" || language === "php");
  if (hash || slashes) {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith("/*", at) || (language !== "javascript" && language !== "php")) return at;
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? text.length : end + 2;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs,
    (_, hex?: string, long?: string, other?: string) => {
      const digits = hex ?? long;
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
      return other === "n" ? "\n" : other === "t" ? "\t" : (other ?? "");
    },
  );
}
