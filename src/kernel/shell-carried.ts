/** Commands that hide in an option or an operand of another command. */

import { argsOf, type Call, inside } from "./shell-call.ts";
import { cut, optionValues } from "./shell-options.ts";
import { literalWord, type Word } from "./shell-reading.ts";

interface Carrier {
  /** Options whose value is handed to a shell. */
  readonly options?: readonly string[];
  /** What of such a value, or of an operand where `operands` says so, is the command. */
  readonly lead?: RegExp;
  /** Operands may carry one too. */
  readonly operands?: true;
  /** So may what flows in, line by line. */
  readonly input?: true;
}

const EDITOR: Carrier = {
  options: ["-c", "--cmd", "-S", "+"],
  lead: /^[:\s]*(?:sil(?:ent)?!?\s+)?(?:(?:r|read|w|write)?\s*!|(?:call\s+|echo\s+|let\s+\w+\s*=\s*)?system(?:list)?\(\s*["']|term(?:inal)?\s+|lua\s+os\.execute\(\s*["']|py(?:thon)?3?\s+.*os\.system\(\s*["'])/,
};
const CONNECTION: Carrier = {
  options: ["-o"],
  lead: /^\s*(?:Proxy|Local|Remote|KnownHosts)Command\s*[= ]\s*/i,
};
const ARCHIVER: Carrier = {
  options: ["--to-command", "--use-compress-program", "-I", "--info-script", "--new-volume-script", "--rsh-command"],
};
const NETCAT: Carrier = { options: ["-e", "-c", "--exec", "--sh-exec"] };
const DATABASE: Carrier = {
  options: ["-c", "-e", "--command", "--execute"],
  lead: /^\s*(?:\\!|system\s)\s*/,
  input: true,
};

const CARRIERS: Readonly<Record<string, readonly Carrier[]>> = {
  tar: [ARCHIVER, { options: ["--checkpoint-action"], lead: /^exec=/ }],
  gtar: [ARCHIVER, { options: ["--checkpoint-action"], lead: /^exec=/ }],
  bsdtar: [ARCHIVER],
  rsync: [{ options: ["-e", "--rsh", "--rsync-path"] }],
  ssh: [CONNECTION],
  scp: [CONNECTION, { options: ["-S"] }],
  sftp: [CONNECTION, { options: ["-S"] }],
  sort: [{ options: ["--compress-program"] }],
  man: [{ options: ["-P", "--pager", "-H", "--html"] }],
  less: [{ operands: true, lead: /^\+{1,2}!/ }],
  zip: [{ options: ["-TT", "--unzip-command"] }],
  split: [{ options: ["--filter"] }],
  tcpdump: [{ options: ["-z"] }],
  npm: [{ options: ["--script-shell", "script-shell"] }, { operands: true, lead: /^script-shell=/ }],
  gdb: [
    {
      options: ["-ex", "-iex", "--eval-command", "-eval-command", "--ex"],
      lead: /^\s*(?:!|shell\s|make\s|pipe\s+.*\|)\s*/,
    },
  ],
  lldb: [{ options: ["-o", "-O", "--one-line"], lead: /^\s*(?:platform\s+)?shell\s+/ }],
  vim: [EDITOR],
  vi: [EDITOR],
  nvim: [EDITOR],
  ex: [EDITOR, { input: true, lead: /^\s*!/ }],
  view: [EDITOR],
  ed: [{ input: true, lead: /^\s*!/ }],
  dc: [{ options: ["-e"], lead: /^!/ }],
  emacs: [{ options: ["--eval", "-eval", "--execute"], lead: /^.*\((?:async-)?shell-command(?:-to-string)?\s+"/s }],
  wget: [{ options: ["--use-askpass"] }],
  nc: [NETCAT],
  ncat: [NETCAT],
  netcat: [NETCAT],
  socat: [{ operands: true, lead: /^(?:EXEC|SYSTEM|SHELL):/i }],
  nodemon: [{ options: ["-x", "--exec"] }],
  cargo: [{ options: ["-s", "--shell"] }],
  "cargo-watch": [{ options: ["-s", "--shell"] }],
  "nix-shell": [{ options: ["--run", "--command"] }],
  expect: [{ options: ["-c"], lead: /^.*?(?:spawn|exec|system)\s+/s }],
  apt: [{ options: ["-o"], lead: /^[\w:]*(?:Pre|Post)-\w+:*=/ }],
  "apt-get": [{ options: ["-o"], lead: /^[\w:]*(?:Pre|Post)-\w+:*=/ }],
  psql: [DATABASE],
  mysql: [DATABASE],
  mariadb: [DATABASE],
  sqlite3: [
    { operands: true, input: true, lead: /^\s*\.(?:shell|system)\s+/ },
    { options: ["-cmd"], lead: /^\s*\.(?:shell|system)\s+/ },
  ],
  hg: [{ options: ["--config"], lead: /^(?:alias\.[^=]+=!|hooks\.[^=]+=|ui\.(?:ssh|editor|merge)=)/ }],
  complete: [{ options: ["-C"] }],
  bind: [{ options: ["-x"], lead: /^\s*(?:"[^"]*"|\S+?)\s*:\s*/ }],
  svn: [{ options: ["--editor-cmd", "--diff-cmd", "--diff3-cmd"] }],
};

/** Reads what a command would start besides doing its own work. */
export function runCarried(name: string, call: Call): void {
  const carriers = Object.hasOwn(CARRIERS, name) ? CARRIERS[name] : undefined;
  for (const carrier of carriers ?? []) {
    for (const script of scriptsOf(carrier, call)) call.runner.child(inside(call, []), script);
  }
}

function scriptsOf({ options = [], lead, operands, input }: Carrier, call: Call): Word[] {
  const args = argsOf(call);
  const lines = input ? (call.stdin?.text?.split("\n").slice(0, LINES_MAX).map(literalWord) ?? []) : [];
  const candidates = [...optionValues(args, options), ...(operands ? args : []), ...lines];
  return lead ? candidates.flatMap((word) => behind(word, lead)) : candidates;
}

const LINES_MAX = 100;

/** A call in another language ends with a quote and a bracket, which are no part of the command. */
function behind(word: Word, lead: RegExp): Word[] {
  const match = lead.exec(word.prefix);
  if (!match) return [];
  const rest = cut(word, match[0].length);
  const quote = /["']$/.exec(match[0])?.[0];
  if (quote === undefined || !rest.literal) return [rest];
  const end = rest.text.indexOf(quote);
  return [literalWord(end < 0 ? rest.text : rest.text.slice(0, end))];
}
