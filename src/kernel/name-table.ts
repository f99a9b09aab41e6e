/**
 * Tables by name, kept as the text they are written in until that no longer pays. For the same reason many patterns of
 * the rules are functions: a pattern is read whole when it is made, and few commands come to be held against one.
 */

/** A process that has just started asks a table once or twice, and a gatehouse all day. */
export const FEW = 16;

/** The names in a line, with a blank between each two. */
export function names(line: string): Names {
  return new Names(line);
}

/**
 * To look through the line costs a process that has just started a tenth of making a set of it, and a hundredth of
 * what a pattern of alternatives does. Whoever goes on asking gets the set.
 */
export class Names {
  private readonly line: string;
  private asked = 0;
  private set: ReadonlySet<string> | undefined;

  constructor(line: string) {
    this.line = ` ${line} `;
  }

  has(name: string): boolean {
    if (this.set) return this.set.has(name);
    this.asked += 1;
    if (this.asked > FEW) this.set = new Set(this.line.trim().split(" "));
    return this.line.includes(` ${name} `) && !name.includes(" ");
  }
}

/** Rows of text, each behind its name and a colon at the beginning of a line; a row may go on below, indented. */
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
    return this.text.split("\n").flatMap((line) => /^\S+(?=: )/.exec(line) ?? []);
  }

  private row(name: string): string | undefined {
    const before = `\n${name}: `;
    const at = this.text.indexOf(before);
    if (at < 0) return undefined;
    let end = this.text.indexOf("\n", at + before.length);
    while (this.text.charAt(end + 1) === " ") end = this.text.indexOf("\n", end + 1);
    const row = this.text.slice(at + before.length, end);
    return row.includes("\n") ? row.replace(/\n +/g, " ") : row;
  }
}
