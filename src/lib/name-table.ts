/**
 * Lookup tables that stay text until a faster structure pays off. For the same reason many regular expressions are
 * functions: compiling one is expensive, and few commands need it.
 */

/** A hook process asks a table once or twice, a daemon all day. */
export const FEW = 16;

/** Names separated by spaces. */
export function names(line: string): Names {
  return new Names(line);
}

/**
 * For a fresh process, searching the text costs a tenth of building a set and a hundredth of compiling a regular
 * expression. After some lookups the set is built.
 */
export class Names {
  private readonly line: string;
  private asked = 0;
  private set: ReadonlySet<string> | undefined;

  constructor(line: string) {
    this.line = ` ${line} `;
  }

  all(): readonly string[] {
    return this.line.trim().split(" ");
  }

  has(name: string): boolean {
    if (this.set) return this.set.has(name);
    this.asked += 1;
    if (this.asked > FEW) this.set = new Set(this.all());
    return this.line.includes(` ${name} `) && !name.includes(" ");
  }

  /**
   * True if one of the names is a word of the text, like `\b(?:a|b)\b`. Words consist of letters, digits, `_` and the
   * characters given.
   */
  occurIn(text: string, more = ""): boolean {
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      if (isWordCode(text.charCodeAt(at)) || (at < text.length && more.includes(text.charAt(at)))) continue;
      if (at > start && this.has(text.slice(start, at))) return true;
      start = at + 1;
    }
    return false;
  }
}

/** As `\w`. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  );
}

/** True for a text like `\w*`. */
export function isWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isWordCode(text.charCodeAt(at))) return false;
  return true;
}

/** Rows of text, each after its name and a colon at the start of a line; continuation lines are indented. */
export class Rows {
  private readonly text: string;
  private asked = 0;
  private rows: ReadonlyMap<string, string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get(name: string): string | undefined {
    if (this.rows) return this.rows.get(name);
    this.asked += 1;
    if (this.asked > FEW) this.rows = new Map(this.names().map((each) => [each, this.row(each) ?? ""]));
    return name === "" || name.includes(" ") ? undefined : this.row(name);
  }

  names(): readonly string[] {
    return this.text.split("\n").flatMap((line) => {
      const end = line.indexOf(" ") - 1;
      return end > 0 && line.charAt(end) === ":" ? [line.slice(0, end)] : [];
    });
  }

  private row(name: string): string | undefined {
    const before = `\n${name}: `;
    const at = this.text.indexOf(before);
    if (at < 0) return undefined;
    let end = this.text.indexOf("\n", at + before.length);
    while (this.text.charAt(end + 1) === " ") end = this.text.indexOf("\n", end + 1);
    const row = this.text.slice(at + before.length, end);
    const lines = row.split("\n");
    return lines.length === 1 ? row : lines.map((line) => line.trimStart()).join(" ");
  }
}
