/** Ways to wrap a line that must never make its verdict milder. */

interface Wrapping {
  readonly name: string;
  /** Undefined where bash would read something else than the same line once more. */
  wrap(line: string): string | undefined;
}

const quoted = (line: string): string => `'${line.replaceAll("'", `'\\''`)}'`;

/** A line break closes comments and here-documents, which a semicolon would fall into. */
const block = (open: string, close: string) => (line: string) => `${open}\n${line}\n${close}`;

/** A command before the line wraps its first simple command, and only if that is one. */
const before = (words: string) => (line: string) => (isSimple(line) ? `${words} ${line}` : undefined);

function isSimple(line: string): boolean {
  const [, first = ""] = /^([A-Za-z][\w.-]*)(?=[ \t])/.exec(line) ?? [];
  return first !== "" && !KEYWORDS.has(first) && !/^\S+[ \t]*\(/.test(line);
}

/** Words of the shell itself: behind `sudo` they are other commands, or none. */
const KEYWORDS = new Set(
  "if then else elif fi for while until do done case esac select function time coproc in eval exec source command builtin cd pushd popd set unset alias unalias export declare typeset local readonly read mapfile readarray trap shift printf let test return break continue exit".split(
    " ",
  ),
);

export const WRAPPINGS: readonly Wrapping[] = [
  { name: "sudo", wrap: before("sudo -n") },
  { name: "env", wrap: before("env A=1") },
  { name: "nohup", wrap: before("nohup") },
  // What begins like an option is one.
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
