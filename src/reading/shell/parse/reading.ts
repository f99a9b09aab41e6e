/** The result of reading a shell line: the types that the rest of the program uses to judge a command. */

/** A field after expansion. */
export interface Word {
  /** The value after quote removal; unknown parts stay as written (`$X/*`). */
  readonly text: string;
  /** Every character of `text` is known. */
  readonly literal: boolean;
  /** An unquoted pattern that the shell would match against files. */
  readonly glob: boolean;
  /** The known text before the first unknown part; all of `text` if it is literal. */
  readonly prefix: string;
  /** Commands whose output is part of this word. */
  readonly from?: readonly Invocation[];
}

export interface Redirect {
  readonly kind: "write" | "append" | "read";
  readonly target: Word;
}

/** The input of a command: its text if known, and the commands that produced it. */
export interface Stream {
  readonly text: string | undefined;
  readonly from: readonly Invocation[];
}

/** Text that would run without having been checked. */
export interface Unread extends Stream {
  /** The line names the file that is run or loaded; only its content is unread. */
  readonly named?: true;
  /** The text was encoded or packed, and is decoded only to run. */
  readonly decoded?: true;
  /** The file is in a directory that every user can write to. */
  readonly anybodys?: true;
}

/** A simple command that could run. */
export interface Invocation {
  /** The name of the command without its directory; undefined if the line does not contain it. */
  readonly name: string | undefined;
  /** The command word as written, with its directory. */
  readonly word: Word;
  readonly args: readonly Word[];
  /** The directory in which the command would run; undefined if unknown. */
  readonly cwd: string | undefined;
  /** Wrappers that were removed, outermost first. */
  readonly via: readonly string[];
  /** The command would run on another machine. */
  readonly remote: boolean;
  /** The command would run inside a container. */
  readonly contained: boolean;
  readonly redirects: readonly Redirect[];
  readonly stdin: Stream | undefined;
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  /** Text that this command would run but that could not be read. */
  readonly runsUnread?: Unread;
}

/** Program text passed to an interpreter on the line itself. */
export interface Program {
  readonly language: string;
  readonly text: string;
  readonly literal: boolean;
  readonly cwd: string | undefined;
}

/** The reason why a reading may be incomplete. */
export type UnknownReason =
  | "parse error"
  | "oversized"
  | "too deep"
  | "too many commands"
  | "command name is not literal"
  | "disguised name"
  | "no name of a command"
  | "invisible character"
  | "unread text runs in a shell"
  | "NUL byte";

export interface ShellReading {
  readonly invocations: readonly Invocation[];
  readonly programs: readonly Program[];
  /** The reasons why the reading is incomplete; empty if it is complete. */
  readonly unknown: readonly UnknownReason[];
  /** A function starts itself again in the background or in a pipeline: a fork bomb. */
  readonly replicates: boolean;
}

/** Stands for a word that another command fills in: an item of `find`, `xargs` or `parallel`. */
export const GAP = "\u2026";

export function literalWord(text: string): Word {
  return { text, literal: true, glob: false, prefix: text };
}

export function unknownWord(spelling: string, from?: readonly Invocation[]): Word {
  const word = { text: spelling, literal: false, glob: false, prefix: "" };
  return from && from.length > 0 ? { ...word, from } : word;
}

/**
 * The file name of a command word, even in an unknown directory (`$VENV/bin/python`): `rm` for `/bin/rm`, `git` for
 * `C:\Git\bin\git.exe`.
 */
export function commandName(word: Word): string | undefined {
  if (!word.literal) return /\/([\w.+-]+)$/.exec(word.text)?.[1];
  if (word.glob) return undefined;
  const { text } = word;
  if (isPlainName(text)) return text;
  const base = text.replace(/^.*[\\/](?=.)/, "").replace(/\.exe$/i, "");
  return invisible.test(base) ? undefined : base;
}

/** Letters, digits and dashes, like nearly every name: such a name needs no cleanup and hides nothing. */
export function isPlainName(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPlain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
    if (!isPlain) return false;
  }
  return true;
}

/** Zero-width characters disguise a name; control characters merely make it invalid. */
export function hasInvisible({ text }: Word): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for.
  return invisible.test(text.replace(/[\u0000-\u001f\u007f]/g, ""));
}

// Zero-width characters make a name look like another one: such a name is not read as itself. So does the mark of an
// encoding that was taken for letters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]|^\u00ef\u00bb\u00bf/;
