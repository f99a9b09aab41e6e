/** Commands that stop, limit or look into a process, and what a debugger is told to do. */

import { names } from "../../lib/name-table.ts";
import { optionValues } from "../shell/parse/options.ts";
import { type Invocation, literalWord, type Redirect, type Word } from "../shell/parse/reading.ts";

const AIMED = names(
  "kill skill snice renice cpulimit fuser prlimit taskset chrt ionice nsenter gcore strace ltrace perf bpftrace frida reptyr criu rr py-spy dlv pkill " +
    "gdbserver lldb-server r2 radare2 rizin stap dtrace heaptrack pstack gstack eu-stack reredirect",
);

/** `kill -0` only asks whether the process is there. */
export function isAimed({ name = "", args }: Invocation): boolean {
  return (AIMED.has(name) || isDebugger(name)) && !(name === "kill" && /^-(?:0|l|L|-list)$/.test(args[0]?.text ?? ""));
}

/** The process is handed over by another command, by a variable or a file, or in commands on standard input. */
export function isAimedUnread(invocation: Invocation): boolean {
  const { name = "", args, via, stdin, redirects } = invocation;
  if (via.includes("nsenter")) return true;
  if (!isAimed(invocation)) return false;
  if (via.some((one) => one === "xargs" || one === "parallel")) return true;
  if (isDebugger(name) && (stdin || redirects.some(isRead) || debuggerFiles(invocation).length > 0)) return true;
  if (numberFiles(invocation).length > 0) return true;
  return args.some(({ text: word, literal }) => !literal && word !== "$!");
}

const isRead = ({ kind }: Redirect): boolean => kind === "read";

/** Files of which the command itself takes the number. */
export function numberFiles({ name = "", args }: Invocation): readonly Word[] {
  return name === "pkill" ? optionValues(args, ["-F", "--pidfile"]) : [];
}

/** Also `gdb-multiarch`, `rust-lldb`, `arm-none-eabi-gdb`, `lldb-18`. */
export function isDebugger(name: string): boolean {
  return name.includes("db") && /^(?:[\w+]+-)*(?:c?gdb|gdbtui|lldb)(?:-(?:multiarch|[\d.]+))?$/.test(name);
}

const COMMANDS = ["-ex", "-iex", "-eiex", "-eval-command", "--eval-command", "--ex", "--iex", "-init-eval-command"];
const ONE_LINES = ["-o", "-O", "--one-line", "--one-line-before-file", "-k", "--one-line-on-crash"];
const FILES = ["-x", "-ix", "-eix", "-command", "--command", "--ix", "--init-command", "-init-command"];
const SOURCES = ["-s", "-S", "--source", "--source-before-file", "-K", "--source-on-crash"];

/** What the line itself tells a debugger to do, one command a word. */
export function debuggerCommands({ name = "", args, stdin }: Invocation): readonly Word[] {
  const said = optionValues(args, name.includes("lldb") ? ONE_LINES : COMMANDS);
  return stdin?.text === undefined ? said : [...said, ...stdin.text.split("\n").map(literalWord)];
}

/** Files with more commands. */
export function debuggerFiles(invocation: Invocation): readonly Word[] {
  const { name = "", args } = invocation;
  const sourced = debuggerCommands(invocation).flatMap((word): readonly Word[] => {
    const [lead = ""] = sourcePattern().exec(word.text) ?? [];
    if (lead === "") return [];
    return [word.literal ? literalWord(word.text.slice(lead.length).trim()) : word];
  });
  return [...optionValues(args, name.includes("lldb") ? SOURCES : FILES), ...sourced];
}

const sourcePattern = (): RegExp => /^\s*(?:so\w*|com\w*\s+(?:so\w*|sc\w*\s+im\w*))\s+(?:-\w+\s+)*/;

/** As if the lines of such a file stood on the command line, so that one reading serves both. */
export function asDebuggerLine(name: string, text: string): string {
  const option = name.includes("lldb") ? "-o" : "-ex";
  const said = text.split("\n").filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  return [name, ...said.map((line) => `${option} '${line.replaceAll("'", `'\\''`)}'`)].join(" ");
}

/** The commands attach to a process that they don't plainly number, or run code in another language that could. */
export function attachesUnread(commands: string, isCode = programPattern().test(commands)): boolean {
  const attached = [...commands.matchAll(attachPattern())];
  if (attached.some(([, target = ""]) => !/^(?:(?:-p|--pid)[ =]?)?\d+$/.test(target.trim()))) return true;
  return isCode && codePattern().test(commands);
}

/** Debuggers take every beginning of a word that is clear: `at 1`, `pro at -p 1`. */
const attachPattern = (): RegExp =>
  /^\s*(?:at(?:t(?:a(?:ch?)?)?)?|_regexp-attach|pr(?:o(?:c(?:e(?:ss?)?)?)?)?\s+att?\w*)\b(?!=)(.*)$/gm;
const programPattern = (): RegExp => /^\s*(?:py\w*|pi|scr\w*|gu\w*|ev\w*)/m;
const codePattern = (): RegExp =>
  /\battach|ppid|\/proc\/|(?:execute|HandleCommand)\((?!\s*r?(["'])[^"'\n]*\1\s*[,)])[\s\S]*(?:open\(|environ|popen|subprocess|argv|chr\()|(?:open\(|environ|popen|subprocess|argv|chr\()[\s\S]*(?:execute|HandleCommand)\((?!\s*r?(["'])[^"'\n]*\2\s*[,)])/i;
