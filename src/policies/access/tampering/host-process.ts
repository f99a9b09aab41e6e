/** Commands aimed at the host itself: its process, its memory, and the channel through which it takes prompts. */

import type { Script } from "../../../kernel/facts.ts";
import type { HostTraits } from "../../../kernel/host-traits.ts";
import { deny, pass, type Ruling } from "../../../kernel/policy.ts";
import { names } from "../../../lib/name-table.ts";
import { inline, type Text, text } from "../../../lib/text.ts";
import type { Invocation, ShellReading, Word } from "../../../reading/shell/parse/reading.ts";
import { LOOKS, TEXT_ONLY } from "./own-command.ts";
import { SHOWS_NAMES_ONLY } from "./own-key.ts";

/** `pid` is the process of this session's host, if it is known. */
export interface HostAtRun {
  readonly host: HostTraits;
  readonly pid: number | undefined;
}

/** Commands that stop, slow down, limit or look into the process they are given. */
const AIMED = names(
  "kill skill snice renice cpulimit fuser prlimit taskset chrt ionice nsenter gdb lldb gcore strace ltrace perf bpftrace frida reptyr criu rr py-spy dlv pkill",
);
const BY_NAME = names("pkill killall skill snice");
const FINDS = names("pgrep pidof ps lsof");

/** `line` is the text as it is written: a number that the reading can't follow may still be spelled out in it. */
export function onHostProcess({ invocations, programs }: ShellReading, at: HostAtRun, line: string): Ruling {
  for (const invocation of invocations) {
    const { name = "", remote, contained } = invocation;
    if (remote || contained) continue;
    if (aimsAtHost(invocation, at) || (isAimedUnread(invocation) && namesHostPid(invocation, at, line)))
      return refuse(PROCESS, name);
    const words = [...invocation.args, ...invocation.redirects.map(({ target }) => target)];
    if (words.some((word) => isMemory(word, at))) return refuse(MEMORY, name);
    if (namesChannel(invocation, words, at.host)) return refuse(CHANNEL, name);
  }
  const program = programs.find((one) => isSuspect(one.text, at.host));
  return program ? refuse(refusedBy(program.text, at.host), `${program.language} program`) : pass;
}

/** The commands and the text of a script that was written or changed during the session. */
export function onHostScript({ text: words = "", spelled, origin, operation }: Script, at: HostAtRun): Ruling {
  if (origin === "project") return pass;
  if (isSuspect(words, at.host)) return refuse(refusedBy(words, at.host), spelled);
  return operation?.shell ? onHostProcess({ ...operation.shell, programs: [] }, at, words) : pass;
}

function aimsAtHost({ name = "", args }: Invocation, at: HostAtRun): boolean {
  if (BY_NAME.has(name) && args.some((word) => matchesHost(word, at.host))) return true;
  return isAimed(name, args) && args.some((word) => isHostPid(word, at));
}

/** `kill -0` only asks whether the process is there. */
function isAimed(name: string, args: readonly Word[]): boolean {
  return AIMED.has(name) && !(name === "kill" && /^-(?:0|l|L|-list)$/.test(args[0]?.text ?? ""));
}

/** The process is handed over by another command, by a variable, or in commands on standard input. */
function isAimedUnread({ name = "", args, via, stdin, redirects }: Invocation): boolean {
  if (via.includes("nsenter")) return true;
  if (!isAimed(name, args)) return false;
  if (via.some((one) => one === "xargs" || one === "parallel")) return true;
  if (DEBUGGERS.has(name) && (stdin || redirects.some(({ kind }) => kind === "read"))) return true;
  return args.some(({ text: word, literal }) => !literal && word !== "$!");
}

/** Where a shell finds the number of its parent or of the host. A word that is another command's output is judged by that. */
function namesHostPid({ args, via }: Invocation, { host, pid }: HostAtRun, line: string): boolean {
  const sources = args.flatMap(({ from = [] }) => from);
  const isHanded = via.length > 0 || sources.length === 0;
  const words = isHanded ? line : sources.flatMap(wordsOf).join(" ");
  const names = [...host.processVariables, ...(pid === undefined ? [] : [String(pid)])].join("|");
  if (new RegExp(`\\b(?:${names})\\b`).test(words) || parentPattern().test(words)) return true;
  if (host.sessionPlaces.test(words)) return true;
  return FINDING.test(isHanded ? line : sources.map(({ name = "" }) => name).join(" ")) && namesOf(host).test(words);
}

function wordsOf({ name = "", args, redirects }: Invocation): readonly string[] {
  return [name, ...args.map(({ text: word }) => word), ...redirects.map(({ target }) => target.text)];
}

const DEBUGGERS = names("gdb lldb");
const FINDING = /\b(?:pgrep|pidof|ps|lsof|ss|netstat|fuser)\b/;
const parentPattern = (): RegExp => /ppid|pstree|\/proc\/[^/\s]+\/(?:task\/[^/\s]+\/)?stat\b/i;
const namesOf = ({ processNames }: HostTraits): RegExp => new RegExp(`\\b(?:${processNames.join("|")})\\b`);

/** `pkill` takes a pattern, so `pkill -f cl` ends the host too. One without letters is aimed at everything. */
function matchesHost({ text: word, literal }: Word, { processNames }: HostTraits): boolean {
  if (!literal || word.startsWith("-") || !/[a-z]/i.test(word)) return false;
  return processNames.some((name) => name === word || patternOf(word)?.test(name) === true);
}

function patternOf(word: string): RegExp | undefined {
  try {
    return new RegExp(word);
  } catch {
    return undefined;
  }
}

/** `$PPID`, its value, or the output of a search for the parent or for the host by name. */
function isHostPid({ text: word, from = [] }: Word, { host, pid }: HostAtRun): boolean {
  if (host.processVariables.some((name) => new RegExp(`\\$\\{?${name}\\b`).test(word))) return true;
  if (pid !== undefined && new RegExp(`^(?:-{1,2}[a-z]*[= ]?)?-?${pid}$`).test(word)) return true;
  return from.some(
    (one) =>
      one.args.some(({ text: each }) => /ppid/i.test(each)) ||
      (FINDS.has(one.name ?? "") && one.args.some((arg) => matchesHost(arg, host))),
  );
}

const memoryPattern = (): RegExp => /\/proc\/(?!self\/|thread-self\/)[^/]+\/(?:task\/[^/]+\/)?(?:mem|map_files|fd\/)/;

/** Another process's memory or open files; of processes other than the host's only the memory. */
function isMemory(word: Word, at: HostAtRun): boolean {
  const { text: path } = word;
  if (!path.includes("/proc/") || !memoryPattern().test(path)) return false;
  const [, owner = ""] = /\/proc\/([^/]+)\//.exec(path) ?? [];
  return /\/mem$/.test(path) || isHostPid({ ...word, text: owner }, at);
}

/** The variable may be searched for and written about; its value, and the place itself, are for the host only. */
function namesChannel({ name = "" }: Invocation, words: readonly Word[], host: HostTraits): boolean {
  const isText = LOOKS.has(name) || TEXT_ONLY.has(name);
  return words.some(({ text: word, literal }) => {
    if (word.includes("/") && host.channelPlaces.test(word)) return !SHOWS_NAMES_ONLY.has(name);
    return host.channelVariables.test(word) && !(literal && isText);
  });
}

function isSuspect(words: string, host: HostTraits): boolean {
  return refusal(words, host) !== undefined;
}

function refusedBy(words: string, host: HostTraits): Text {
  return refusal(words, host) ?? PROCESS;
}

/** What a program in another language names. */
function refusal(words: string, host: HostTraits): Text | undefined {
  if (host.channelVariables.test(words) || host.channelPlaces.test(words)) return CHANNEL;
  if (words.includes("/proc/") && /\/proc\/(?!self\b)[^\s"']{1,40}\/mem\b/.test(words)) return MEMORY;
  const names = host.processVariables.join("|");
  const parent = new RegExp(`getppid|\\.ppid\\b|\\b(?:${names})\\b|/proc/(?:self|\\d+)/stat\\b|PPid`).test(words);
  return parent && /\bkill\w*\b|prlimit|ptrace|process_vm_|setpriority|cgroup/i.test(words) ? PROCESS : undefined;
}

const PROCESS = text(
  "the process of the client that runs this session",
  "このセッションを動かすクライアントのプロセス",
);
const MEMORY = text("the memory or open files of another process", "別のプロセスのメモリや開いているファイル");
const CHANNEL = text("the channel through which the client takes prompts", "クライアントがプロンプトを受け取る通信路");

function refuse(target: Text, by: string): Ruling {
  const name = inline(by, 60);
  return deny({
    what: text(`This is aimed at ${target.en} (${name}).`, `${target.ja}を狙う操作です (${name})。`),
    fix: text(
      "Work on processes that you started, by their own process id (`cmd & pid=$!`). To end the session, end your turn.",
      "自分で起動したプロセスを、その pid で扱ってください (`cmd & pid=$!`)。終えるときはターンを終えてください。",
    ),
  });
}
