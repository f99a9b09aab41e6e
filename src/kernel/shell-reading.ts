/** What a shell line says it would do: the words the rest of the house reads a command by. */

/** One field after expansion. */
export interface Word {
  /** The value after quote removal; what could not be known is left as it was spelled (`$X/*`). */
  readonly text: string;
  /** Every character of `text` is known. */
  readonly literal: boolean;
  /** An unquoted pattern the shell would match against files. */
  readonly glob: boolean;
  /** The known text before the first unknown: all of `text` when it is literal. */
  readonly prefix: string;
  /** Commands whose output this word holds. */
  readonly from?: readonly Invocation[];
}

export interface Redirect {
  readonly kind: "write" | "append" | "read";
  readonly target: Word;
}

/** What flows into a command: its text where that is known, and the commands it came from. */
export interface Stream {
  readonly text: string | undefined;
  readonly from: readonly Invocation[];
}

/** Text that would run without having been read. */
export interface Unread extends Stream {
  /** The line names what is run or loaded, and only its content is unread. */
  readonly named?: true;
  /** It was encoded or packed, and would be unpacked only to run. */
  readonly decoded?: true;
  /** It lies where anybody may have put it. */
  readonly anybodys?: true;
}

/** One simple command that could run. */
export interface Invocation {
  /** The command's own name without its directory; undefined when the line does not say it. */
  readonly name: string | undefined;
  /** The command word as found, before its directory was stripped. */
  readonly word: Word;
  readonly args: readonly Word[];
  /** Where it would run; undefined when the line does not say. */
  readonly cwd: string | undefined;
  /** Wrappers that were stripped, outermost first. */
  readonly via: readonly string[];
  /** It would run on another machine. */
  readonly remote: boolean;
  /** It would run inside a container. */
  readonly contained: boolean;
  readonly redirects: readonly Redirect[];
  readonly stdin: Stream | undefined;
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  /** A program text this command would run and that could not be read. */
  readonly runsUnread?: Unread;
}

/** Program text given to an interpreter on the line itself. */
export interface Program {
  readonly language: string;
  readonly text: string;
  readonly literal: boolean;
  readonly cwd: string | undefined;
}

/** Why a reading may not be the whole truth. */
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
  /** Why the reading is not the whole truth; empty when it is. */
  readonly unknown: readonly UnknownReason[];
  /** A function starts itself again in the background or in a pipeline: a fork bomb. */
  readonly replicates: boolean;
}

/** Stands for what a command fills in from somewhere else: the items of `find`, `xargs` and `parallel`. */
export const GAP = "\u2026";

export function literalWord(text: string): Word {
  return { text, literal: true, glob: false, prefix: text };
}

export function unknownWord(spelling: string, from?: readonly Invocation[]): Word {
  const word = { text: spelling, literal: false, glob: false, prefix: "" };
  return from && from.length > 0 ? { ...word, from } : word;
}

/** The file name of a command word, also in a directory that is not known (`$VENV/bin/python`): `/bin/rm` and `C:\Git\bin\git.exe` are `rm` and `git`. */
export function commandName(word: Word): string | undefined {
  if (!word.literal) return /\/([\w.+-]+)$/.exec(word.text)?.[1];
  if (word.glob) return undefined;
  const { text } = word;
  if (isPlainName(text)) return text;
  const base = text.replace(/^.*[\\/](?=.)/, "").replace(/\.exe$/i, "");
  return invisible.test(base) ? undefined : base;
}

/** Letters, digits and dashes: nearly every name, and then there is nothing to strip and nothing to hide. */
export function isPlainName(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPlain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
    if (!isPlain) return false;
  }
  return true;
}

/** Letters without a width make a name look like another one; a control code only makes it no name. */
export function hasInvisible({ text }: Word): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for.
  return invisible.test(text.replace(/[\u0000-\u001f\u007f]/g, ""));
}

// Zero-width characters make a name look like another one: such a name is not read as itself. So does the mark of an
// encoding that was taken for letters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]|^\u00ef\u00bb\u00bf/;
