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

/** Rows of text, one a line, each behind its name and a colon. */
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
    if (this.asked > FEW) this.rows = new Map(this.text.trim().split("\n").map(parted));
    const at = this.text.indexOf(`\n${name}: `);
    if (at < 0 || name.includes(":")) return undefined;
    return this.text.slice(at + name.length + 3, this.text.indexOf("\n", at + 1));
  }
}

function parted(line: string): readonly [string, string] {
  const at = line.indexOf(": ");
  return [line.slice(0, at), line.slice(at + 2)];
}
