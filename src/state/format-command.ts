/** What a person writes to have files of some endings formatted by a program: `ts,tsx=prettier --write {file}`. */

export interface FormatCommand {
  /** Without the dot, in small letters. */
  readonly endings: readonly string[];
  /** A name, an absolute path, or a path from the project's root. */
  readonly program: string;
  /** No shell reads them: a word is what stands between two spaces, and FILE stands for the file. */
  readonly args: readonly string[];
}

export const FILE = "{file}";

/** Undefined when it is no such command. */
export function readFormatCommand(entry: string): FormatCommand | undefined {
  const [, endings, line] = /^([a-z0-9]+(?:,[a-z0-9]+)*)=([\x20-\x7e]+)$/i.exec(entry) ?? [];
  if (endings === undefined || line === undefined) return undefined;
  const [program, ...args] = line.split(" ").filter((word) => word !== "");
  if (program === undefined || program === FILE || !args.includes(FILE)) return undefined;
  return { endings: endings.toLowerCase().split(","), program, args };
}
