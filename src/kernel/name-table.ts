/** Tables by name, kept as the text they are written in until that no longer pays. */

/** A process that has just started asks a table once or twice, and a gatehouse all day. */
const FEW = 16;

/** A table of command names. A process that has just started pays far less for it than for a pattern of alternatives. */
export function nameTable(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}

/** The same for a room in which every table is asked: to look through the line costs a tenth of taking it apart. */
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
