/** Finds the local files that a command would run. Reads no file. */

import { names } from "../../lib/name-table.ts";
import { absolute } from "../../lib/paths.ts";
import { debuggerFiles, isDebugger } from "../operation/aimed.ts";
import { interpreterOf } from "../programs/languages.ts";
import { gitCommand } from "../shell/commands/git.ts";
import { isShell } from "../shell/commands/interpreters.ts";
import { operandStart, optionValue } from "../shell/parse/options.ts";
import { type Invocation, literalWord, type Word } from "../shell/parse/reading.ts";

export interface ScriptRun {
  /** Lexically absolute. */
  readonly path: string;
  readonly spelled: string;
  /** A language, `file` (the shebang line decides), `package`, `make`, `patch`, or `debugger`. */
  readonly as: string;
  /** Arguments passed to the script. */
  readonly args: readonly Word[];
  /** For a package or a makefile: the entries to run. */
  readonly entries?: readonly string[];
  readonly invocation: Invocation;
}

export function scriptRuns(invocations: readonly Invocation[]): readonly ScriptRun[] {
  return invocations.flatMap((invocation) => (isElsewhere(invocation) ? [] : runsOf(invocation)));
}

function isElsewhere({ remote, contained }: Invocation): boolean {
  return remote || contained;
}

function runsOf(invocation: Invocation): ScriptRun[] {
  const { name, word, args } = invocation;
  // A file of the project may have the same name as any command.
  if (word.text.includes("/") && !INSTALLED.test(word.text)) return run(invocation, word, "file", args);
  if (name === undefined) return [];
  if (isShell(name)) return shellFile(invocation);
  const runner = runnerOf(name);
  if (runner) return runner(invocation);
  if (isDebugger(name)) return debuggerRuns(invocation);
  const interpreter = interpreterOf(name);
  return interpreter
    ? programFile(invocation, interpreter.language, `${interpreter.code}${interpreter.values ?? ""}`)
    : [];
}

/** Directories of installed programs, which agents do not edit casually. */
const INSTALLED = /^\/(?:usr|bin|sbin|opt\/homebrew|nix|snap)\//;

function run(
  invocation: Invocation,
  file: Word | undefined,
  as: string,
  args: readonly Word[] = [],
  entries?: readonly string[],
): ScriptRun[] {
  const path = file?.literal && !file.glob && file.text !== "" ? absolute(file.text, invocation.cwd) : undefined;
  if (file === undefined || path === undefined || path.startsWith("/dev/")) return [];
  return [{ path, spelled: file.text, as, args, invocation, ...(entries && { entries }) }];
}

/** `sh x`, `sh < x`, `cat x | sh`; with `-c` the text is already on the line. */
function shellFile(invocation: Invocation): ScriptRun[] {
  const { args } = invocation;
  const grammar = { short: "oO", long: ["--init-file", "--rcfile"] };
  let start = operandStart(args, grammar);
  while (args[start]?.text.startsWith("+")) start = operandStart(args, grammar, start + 1);
  const options = args.slice(0, start);
  const rc = run(invocation, optionValue(options, ["--init-file", "--rcfile"]), "shell");
  if (options.some(({ text }) => /^-[a-zA-Z]*c/.test(text))) return rc;
  // `-n` only checks the syntax.
  if (options.some(({ text }) => /^-[a-z]*n$/.test(text)) && !args.some(({ text }) => text === "+n")) return [];
  const readsInput = options.some(({ text }) => /^-[a-z]*s$/.test(text));
  const file = readsInput ? undefined : args[start];
  return [
    ...rc,
    ...(isFile(file) ? run(invocation, file, "shell", args.slice(start + 1)) : inputFile(invocation, "shell")),
  ];
}

function isFile(word: Word | undefined): word is Word {
  return word !== undefined && word.text !== "-" && word.text !== "/dev/stdin";
}

/** A file that becomes the input, through a redirection or `cat`. */
function inputFile(invocation: Invocation, as: string): ScriptRun[] {
  const { redirects, stdin } = invocation;
  const redirected = redirects.find(({ kind }) => kind === "read")?.target;
  if (redirected) return run(invocation, redirected, as);
  const source = stdin?.text === undefined ? stdin?.from.at(-1) : undefined;
  if (source?.name !== "cat" && source?.name !== "tac") return [];
  const files = source.args.filter(({ text }) => !text.startsWith("-"));
  return files.flatMap((file) => run({ ...invocation, cwd: source.cwd }, file, as));
}

function programFile(invocation: Invocation, as: string, values: string): ScriptRun[] {
  const { args } = invocation;
  const loaded = optionValue(args, ["-r", "--require", "--import"]);
  const first = loaded && /^[./]/.test(loaded.text) ? run(invocation, loaded, as) : [];
  const start = operandStart(args, { short: values, long: ["--require", "--import", "--eval", "--print", "--loader"] });
  const options = args.slice(0, start);
  const module = as === "python" ? optionValue(options, ["-m"]) : undefined;
  if (module) return [...first, ...run(invocation, moduleFile(module), as)];
  if (options.some((option) => isCode(option, as))) return first;
  // `bun run x.ts`, `deno run x.ts`.
  const at = /^(?:run|test)$/.test(args[start]?.text ?? "") ? operandStart(args, {}, start + 1) : start;
  const file = args[at];
  return [...first, ...(isFile(file) ? run(invocation, file, as, args.slice(at + 1)) : inputFile(invocation, as))];
}

/** The program text is on the line and was read there. */
function isCode({ text }: Word, language: string): boolean {
  const letters = language === "python" ? "c" : language === "php" ? "r" : "eE";
  if (text.startsWith("--")) return /^--(?:eval|print|run|version|help)/.test(text);
  return [...letters].some((letter) => text.includes(letter, 1)) || (language === "javascript" && /^-p/.test(text));
}

function moduleFile(module: Word): Word {
  const text = `${module.text.replaceAll(".", "/")}.py`;
  return { ...module, text, prefix: text };
}

type Runner = (invocation: Invocation) => ScriptRun[];

const javascript: Runner = (invocation) => programFile(invocation, "javascript", "r");
const awk: Runner = (invocation) => run(invocation, optionValue(invocation.args, ["-f", "--file"]), "awk");
const sourced: Runner = (invocation) => run(invocation, invocation.args[0], "shell");
const later: Runner = (invocation) => {
  const file = optionValue(invocation.args, ["-f"]);
  return file ? run(invocation, file, "shell") : inputFile(invocation, "shell");
};

const make: Runner = (invocation) => {
  const { args } = invocation;
  const directory = optionValue(args, ["-C", "--directory"]);
  const inside = directory
    ? { ...invocation, cwd: directory.literal ? absolute(directory.text, invocation.cwd) : undefined }
    : invocation;
  const targets = operands(args, { short: "fCIjlOoW", long: ["--file", "--makefile", "--directory"] });
  const entries = targets.filter((text) => !text.includes("="));
  const named = optionValue(args, ["-f", "--file", "--makefile"]);
  const files = named ? [named] : ["GNUmakefile", "makefile", "Makefile"].map(literalWord);
  return files.flatMap((file) => run(inside, file, "make", [], entries));
};

/** `npm run x`, `npm test`, `yarn x`. */
const packageScript: Runner = (invocation) => {
  const { args } = invocation;
  const words = operands(args, { short: "Cw", long: ["--prefix", "--dir", "--cwd", "--workspace", "--filter"] });
  const [verb = "", name = ""] = words;
  const entry = verb === "run" || verb === "run-script" ? name : OWN_VERBS.has(verb) ? "" : verb;
  const directory = optionValue(args, ["--prefix", "--dir", "--cwd", "-C"]);
  const base = directory ? `${directory.text}/` : "";
  const file = { ...literalWord(`${base}package.json`), literal: directory?.literal ?? true };
  return entry === "" ? [] : run(invocation, file, "package", [], [entry === "t" ? "test" : entry]);
};

/** Built-in verbs of the package managers, which take precedence over scripts of the same name. */
const OWN_VERBS = names(
  "install i ci add remove rm uninstall un update up exec x dlx create init publish pack link config view info ls list " +
    "why outdated audit cache login logout whoami version help workspace workspaces",
);

const patch: Runner = (invocation) => {
  const named = optionValue(invocation.args, ["-i", "--input"]);
  return named ? run(invocation, named, "patch") : inputFile(invocation, "patch");
};

const git: Runner = (invocation) => {
  const { verb, args } = gitCommand(invocation.args);
  if (verb !== "apply" && verb !== "am") return [];
  const files = args.filter(({ text }) => !text.startsWith("-"));
  return files.length > 0 ? files.flatMap((file) => run(invocation, file, "patch")) : inputFile(invocation, "patch");
};

const bun: Runner = (invocation) => [...javascript(invocation), ...packageScript(invocation)];

/** Also the file that a debugger reads by itself in its directory. */
function debuggerRuns(invocation: Invocation): ScriptRun[] {
  const { name = "" } = invocation;
  const own = literalWord(name.includes("lldb") ? ".lldbinit" : ".gdbinit");
  const files = [...debuggerFiles(invocation), own];
  const named = files.flatMap((file) => run(invocation, file, file.text.endsWith(".py") ? "python" : "debugger"));
  return [...named, ...inputFile(invocation, "debugger")];
}

function runnerOf(name: string): Runner | undefined {
  switch (name) {
    case "source":
    case ".":
      return sourced;
    case "at":
    case "batch":
      return later;
    case "tsx":
    case "ts-node":
    case "deno":
      return javascript;
    case "bun":
      return bun;
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return awk;
    case "make":
    case "gmake":
      return make;
    case "npm":
    case "pnpm":
    case "yarn":
      return packageScript;
    case "patch":
      return patch;
    case "git":
      return git;
    default:
      return undefined;
  }
}

function operands(args: readonly Word[], grammar: Parameters<typeof operandStart>[1]): string[] {
  const found: string[] = [];
  for (let at = operandStart(args, grammar); at < args.length; at = operandStart(args, grammar, at + 1)) {
    const text = args[at]?.text;
    if (text !== undefined) found.push(text);
  }
  return found;
}
