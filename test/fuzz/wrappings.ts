/** Ways to wrap a command line that must never loosen its verdict. */

import { carriersOf } from "../../src/reading/programs/carriers.ts";
import { carrying, carryingNames } from "../../src/reading/programs/carrying.ts";

interface Wrapping {
  readonly name: string;
  /** Undefined when bash would not run the same line once wrapped. */
  wrap(line: string): string | undefined;
}

const quoted = (line: string): string => `'${line.replaceAll("'", `'\\''`)}'`;

/** A line break ends comments and here-documents, which would swallow a semicolon. */
const block = (open: string, close: string) => (line: string) => `${open}\n${line}\n${close}`;

/** A prefix wraps only the first simple command, so the line must start with one. */
const before = (words: string) => (line: string) => (isSimple(line) ? `${words} ${line}` : undefined);

function isSimple(line: string): boolean {
  const [, first = ""] = /^([A-Za-z][\w.-]*)(?=[ \t])/.exec(line) ?? [];
  return first !== "" && !KEYWORDS.has(first) && !/^\S+[ \t]*\(/.test(line);
}

/** Shell keywords and built-ins: after `sudo` they would be other commands or none. */
const KEYWORDS = new Set(
  "if then else elif fi for while until do done case esac select function time coproc in eval exec source command builtin cd pushd popd set unset alias unalias export declare typeset local readonly read mapfile readarray trap shift printf let test return break continue exit".split(
    " ",
  ),
);

export const WRAPPINGS: readonly Wrapping[] = [
  { name: "sudo", wrap: before("sudo -n") },
  { name: "env", wrap: before("env A=1") },
  { name: "nohup", wrap: before("nohup") },
  // A line that starts with `-` or `+` would be taken for an option.
  { name: "bash -c", wrap: (line) => (/^[-+]/.test(line) ? undefined : `bash -c ${quoted(line)}`) },
  { name: "eval", wrap: (line) => `eval ${quoted(line)}` },
  { name: "a here-document", wrap: (line) => `sh <<'E0F'\n${line}\nE0F` },
  { name: "a function", wrap: block("f0() {", "}; f0") },
  { name: "a subshell", wrap: block("(", ")") },
  { name: "a group", wrap: block("{", "}") },
  { name: "a pipeline", wrap: block("{", "} | cat") },
  { name: "the end of a pipeline", wrap: block("cat | {", "}") },
  { name: "if", wrap: block("if true; then", "fi") },
  { name: "a loop", wrap: block("for i0 in 1; do", "done") },
  { name: "the background", wrap: block("{", "} &") },
  { name: "time", wrap: block("time {", "}") },
  { name: "!", wrap: block("! {", "}") },
  { name: "a substitution", wrap: block(": $(", ")") },
  { name: "another line before it", wrap: (line) => `true\n${line}` },
];

/** Rows that run the command elsewhere: the same path is another one there. */
const REMOTE = (name: string): boolean => carriersOf(name).some(({ language }) => language === "remote");
const ROWS = carryingNames().filter((name) => !REMOTE(name));
const ROWS_A_LINE = 4;

/** Some rows of the tables of programs, others for each line; only a simple command can be put into all of them. */
export function carriers(line: string): readonly Wrapping[] {
  if (!isSimple(line) || /[;&|<>\n#(){}]/.test(line)) return [];
  const start = [...line].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_003, 7);
  return Array.from({ length: ROWS_A_LINE }, (_, at) => ROWS[(start + at * 53) % ROWS.length] ?? "").map((name) => ({
    name: `the row of ${name}`,
    wrap: (each) => carrying(name, each),
  }));
}
