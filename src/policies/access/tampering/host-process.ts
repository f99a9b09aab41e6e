/** Commands aimed at the host itself: its process, its memory, and the channel through which it takes prompts. */

import type { Script } from "../../../kernel/facts.ts";
import type { HostTraits } from "../../../kernel/host-traits.ts";
import { deny, pass, type Ruling } from "../../../kernel/policy.ts";
import { names } from "../../../lib/name-table.ts";
import { inline, type Text, text } from "../../../lib/text.ts";
import {
  attachesUnread,
  debuggerCommands,
  debuggerFiles,
  isAimed,
  isAimedUnread,
  isDebugger,
} from "../../../reading/operation/aimed.ts";
import { optionValues } from "../../../reading/shell/parse/options.ts";
import type { Invocation, ShellReading, Word } from "../../../reading/shell/parse/reading.ts";
import { LOOKS, TEXT_ONLY } from "./own-command.ts";
import { SHOWS_NAMES_ONLY } from "./own-key.ts";

/** `pid` is the process of this session's host, if it is known. */
export interface HostAtRun {
  readonly host: HostTraits;
  readonly pid: number | undefined;
}

const BY_NAME = names("pkill killall skill snice");
const FINDS = names("pgrep pidof ps lsof");

/** `line` is the text as it is written: a number that the reading can't follow may still be spelled out in it. */
export function onHostProcess({ invocations, programs }: ShellReading, at: HostAtRun, line: string): Ruling {
  for (const invocation of invocations) {
    const target = invocation.remote || invocation.contained ? undefined : targetOf(invocation, at, line);
    if (target) return refuse(target, invocation.name ?? "");
  }
  for (const program of programs) {
    const target = refusal(program.text, at);
    if (target) return refuse(target, `${program.language} program`);
  }
  return pass;
}

function targetOf(invocation: Invocation, at: HostAtRun, line: string): Text | undefined {
  const { name = "", args, redirects } = invocation;
  if (aimsAtHost(invocation, at)) return PROCESS;
  if (isAimedUnread(invocation) && namesHostPid(invocation, at, line)) return PROCESS;
  if (isDebugger(name) && debugsHost(invocation, at)) return PROCESS;
  const words = [...args, ...redirects.map(({ target }) => target)];
  if (words.some((word) => isMemory(word, at))) return MEMORY;
  return namesChannel(invocation, words, at.host) ? CHANNEL : undefined;
}

/** The commands and the text of a script that was written or changed during the session. */
export function onHostScript({ text: words, spelled, origin, operation, by, holds }: Script, at: HostAtRun): Ruling {
  if (holds === "numbers") return saysNumber(words ?? "", at.pid) ? refuse(PROCESS, spelled) : pass;
  if (origin === "project") return pass;
  if (words === undefined) return isDebugger(by.name ?? "") ? refuse(PROCESS, spelled) : pass;
  const target = refusal(words, at);
  if (target) return refuse(target, spelled);
  if (isDebugger(by.name ?? "") && attachesUnread(words, /\.py$/.test(spelled) || undefined))
    return refuse(PROCESS, spelled);
  return operation?.shell ? onHostProcess({ ...operation.shell, programs: [] }, at, words) : pass;
}

function aimsAtHost(invocation: Invocation, at: HostAtRun): boolean {
  const { name = "", args } = invocation;
  if (BY_NAME.has(name) && args.some((word) => matchesHost(word, at.host))) return true;
  return isAimed(invocation) && args.some((word) => isHostPid(word, at));
}

/** By number, by name, or by commands in a file that can't be read before it runs. */
function debugsHost(invocation: Invocation, { host, pid }: HostAtRun): boolean {
  const commands = debuggerCommands(invocation)
    .map(({ text: one }) => one)
    .join("\n");
  if (saysNumber(commands, pid) || attachesUnread(commands)) return true;
  const named = [...optionValues(invocation.args, ["-n", "--attach-name"]).map(({ text: one }) => one), commands];
  if (invocation.name?.includes("lldb") && named.some((one) => namesOf(host).test(one))) return true;
  return debuggerFiles(invocation).some(({ text: path, literal, glob }) => !literal || glob || isStream(path));
}

const isStream = (path: string): boolean => path === "-" || /^\/(?:dev|proc)\//.test(path);

function saysNumber(words: string, pid: number | undefined): boolean {
  return pid !== undefined && new RegExp(`\\b${pid}\\b`).test(words);
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

/** What a program in another language names. */
function refusal(words: string, { host, pid }: HostAtRun): Text | undefined {
  if (host.channelVariables.test(words) || host.channelPlaces.test(words)) return CHANNEL;
  if (words.includes("/proc/") && /\/proc\/(?!self\b)[^\s"']{1,40}\/mem\b/.test(words)) return MEMORY;
  const names = host.processVariables.join("|");
  const parent = new RegExp(`getppid|\\.ppid\\b|\\b(?:${names})\\b|/proc/(?:self|\\d+)/stat\\b|PPid`).test(words);
  return (parent || saysNumber(words, pid)) && /\bkill\w*\b|prlimit|ptrace|process_vm_|setpriority|cgroup/i.test(words)
    ? PROCESS
    : undefined;
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
