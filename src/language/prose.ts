/** The sentences a person wrote in a prompt, without code, quotations, URLs, paths and pasted output. */

/** Only the beginning and the end of a longer prompt are read, since people put their request there. */
const PART_CHARS_MAX = 4000;

/** Linear: every step goes through the bounded text once. */
export function sentencesOf(prompt: string): readonly string[] {
  return partsOf(prompt).flatMap((lines) =>
    withoutBlocks(lines)
      .filter((line) => !isPasted(line))
      .flatMap((line) => plain(afterMessage(line)).split(/[.!;](?=\s|$)|(?<=[?\uff1f])|[\u3002\uff01\uff1b]/))
      .map((sentence) => sentence.replace(/\s+/g, " ").trim())
      .filter((sentence) => sentence !== ""),
  );
}

export function partsOf(prompt: string): readonly (readonly string[])[] {
  const lines = (text: string): readonly string[] => text.split(/\r?\n/);
  if (prompt.length <= 2 * PART_CHARS_MAX) return [lines(prompt)];
  const [head, tail] = [prompt.slice(0, PART_CHARS_MAX), prompt.slice(-PART_CHARS_MAX)];
  return [lines(head), isWithinCode(prompt.slice(0, -PART_CHARS_MAX)) ? [FENCE, ...lines(tail)] : lines(tail)];
}

/** An odd number of fences means that the following text is inside a code block. */
function isWithinCode(before: string): boolean {
  return (before.match(/^[ \t]{0,12}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
}

function isFence(line: string): boolean {
  return /^[ \t]{0,12}(?:```|~~~)/.test(line);
}

/** Drops fenced code, and blocks between an opening tag alone on its line and its closing tag. */
export function withoutBlocks(lines: readonly string[]): readonly string[] {
  const ends = new Set(lines.map((line) => line.trim()));
  const kept: string[] = [];
  let until: string | undefined;
  for (const line of lines) {
    if (until !== undefined) until = endsAt(line, until) ? undefined : until;
    else {
      until = blockFrom(line, ends);
      if (until === undefined) kept.push(line);
    }
  }
  return kept;
}

const FENCE = "```";

function endsAt(line: string, until: string): boolean {
  return until === FENCE ? isFence(line) : line.trim() === until;
}

/** The line that ends the block opened by this line. A tag that is never closed opens no block. */
function blockFrom(line: string, ends: ReadonlySet<string>): string | undefined {
  if (isFence(line)) return FENCE;
  const tag = /^\s{0,20}<([A-Za-z][\w-]{0,40})>\s{0,20}$/.exec(line)?.[1];
  return tag !== undefined && ends.has(`</${tag}>`) ? `</${tag}>` : undefined;
}

/**
 * Quoted mail, indented code, logs, stack traces, diffs, terminal output. Only the beginning of the line is examined.
 */
export function isPasted(line: string): boolean {
  const start = line.slice(0, 160);
  patterns ??= pastedPatterns();
  return patterns.some((pattern) => pattern.test(start));
}

/** Compiled on first use, because few processes need them. */
let patterns: readonly RegExp[] | undefined;

const pastedPatterns = (): readonly RegExp[] => [
  /^\s{0,8}>/,
  /^(?: {4,}|\t+)(?![-*+\u2022\u30fb]|\d{1,3}[.)])\s*\S/,
  /^\s*\[?\d{4}[-/]\d{2}[-/]\d{2}[T \]]/,
  /^\s*\[?\d{1,2}:\d{2}:\d{2}/,
  /^\s*\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL|FAIL|PASS|PANIC)\b/,
  /^\s*(?:npm|yarn|pnpm) (?:ERR!|WARN|error)/,
  /^\s*(?:error|warning)(?: ?TS\d|\[\w+\])/,
  /^\s*(?:fatal|panic|error|warning|note): .{0,80}(?:\bat |:\d+|0x)/,
  /^\s*at \S.{0,100}[:(]/,
  /^\s*File "[^"]{0,100}", line \d/,
  /^\s*Traceback \(most recent/,
  /^\s*Caused by:/,
  /^\s*(?:goroutine \d|#\d+ |E {2,})/,
  /^(?:diff --git|index [0-9a-f]{6}|@@ |\+\+\+ |--- |[+-] {2,}|[+-][{}()<>[\];/@=])/,
  /^\s*[$%\u276f\u279c] \S/,
  /^\s*(?:[\u2717\u2713\u2714\u2716\u00d7\u25cf]|FAILED|not ok|ok \d)\s?\S/,
  /^[^\s:]{1,120}:\d{1,6}:(?:\d{1,5}:?)?\s/,
];

/** `TypeError: x is undefined. Please fix it`: the first sentence comes from the program, the rest from the person. */
function afterMessage(line: string): string {
  const isMessage = /^\s*(?:Uncaught )?[\w.]{0,60}(?:Error|Exception)\s?:/.test(line.slice(0, 100));
  return isMessage ? line.replace(/^[^.\u3002?!]*[.\u3002?!]?/, "") : line;
}

/** Replaces quotations and names by the meaningless noun "it". */
function plain(line: string): string {
  const quoted = QUOTED.reduce((text, pattern) => text.replace(pattern, THING), line);
  return quoted.replace(/[!-~]+/g, (token) => wordsOf(token));
}

const THING = " it ";
const QUOTED = [
  /`[^`]*`/g,
  /"[^"]{0,300}"/g,
  /\u201c[^\u201d]{0,300}\u201d/g,
  /\u300c[^\u300d]{0,300}\u300d/g,
  /\u300e[^\u300f]{0,300}\u300f/g,
  /<[^<>]{1,200}>/g,
];

const ENDING = /[),.;:!?\]}'"]+$/;

function wordsOf(token: string): string {
  const ending = token.length > 200 ? "" : (ENDING.exec(token)?.[0] ?? "");
  const bare = token.slice(0, token.length - ending.length).replace(/^[(["'{]+/, "");
  if (/[a-z](?:Error|Exception)$/.test(bare.slice(-40))) return ` error ${ending}`;
  if (isName(bare)) return `${THING}${ending}`;
  return `${bare.replaceAll("/", " ")}${ending}`;
}

/** A URL, a path, a file, an option or an identifier. */
export function isName(word: string): boolean {
  if (word.length > 60 || word.includes("://") || /^(?:www\.|[~@.]?\.?[/\\]|--?[A-Za-z]|@\w)/.test(word)) return true;
  if (word.includes("/")) return !/^[A-Za-z]{2,}[/][A-Za-z]{2,}$/.test(word) || PLACES.test(word);
  return (
    /[A-Za-z0-9]\.[A-Za-z]\w{0,6}$/.test(word) || /^\w*[A-Za-z0-9]_\w+$/.test(word) || /[a-z][A-Z]|\(\)/.test(word)
  );
}

const PLACES = /^(?:src|lib|app|apps|bin|dist|docs?|tests?|spec|packages|scripts|config|public|origin|feature|fix)[/]/i;
