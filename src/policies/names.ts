/**
 * Tables of names, kept as the line they are written in until that no longer pays. For the same reason the patterns of
 * this room are functions: a pattern is read whole when it is made, and few commands come to be held against one.
 */

/** A process that has just started asks a table once or twice, and a gatehouse all day. */
export const FEW = 16;

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

/** The names in a line, with a blank between each two. */
export function names(line: string): Names {
  return new Names(line);
}
