/** A person's setting for formatting files with a program: `ts,tsx=prettier --write {file}`. */

export interface FormatCommand {
  /** Lower case, without the dot. */
  readonly endings: readonly string[];
  /** A name, an absolute path, or a path relative to the project's root. */
  readonly program: string;
  /** Split at spaces, without a shell; FILE stands for the file. */
  readonly args: readonly string[];
}

export const FILE = "{file}";

/** Undefined when the entry is not a valid command. */
export function readFormatCommand(entry: string): FormatCommand | undefined {
  const [, endings, line] = /^([a-z0-9]+(?:,[a-z0-9]+)*)=([\x20-\x7e]+)$/i.exec(entry) ?? [];
  if (endings === undefined || line === undefined) return undefined;
  const [program, ...args] = line.split(" ").filter((word) => word !== "");
  if (program === undefined || program === FILE || !args.includes(FILE)) return undefined;
  return { endings: endings.toLowerCase().split(","), program, args };
}
