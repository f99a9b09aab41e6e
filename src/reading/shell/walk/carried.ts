/** Commands inside an option or an operand of another command. */

import { names } from "../../../lib/name-table.ts";
import { cut, optionValues } from "../parse/options.ts";
import { literalWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, inside } from "./call.ts";

interface Carrier {
  /** Options whose value is passed to a shell. */
  readonly options?: readonly string[];
  /** The text before the command in such a value or, with `operands`, in an operand. */
  readonly lead?: RegExp | string;
  /** Operands may contain a command too. */
  readonly operands?: true;
  /** Each line of the input may contain a command too. */
  readonly input?: true;
}

/**
 * Where each command may contain another one: first tools that transfer and connect, then tools that edit, run and
 * store data.
 */
function carriersOf(name: string): readonly Carrier[] | undefined {
  return CARRIES.has(name) ? (carrierOnTheWay(name) ?? carrierAtWork(name)) : undefined;
}

const CARRIES = names(
  "tar gtar bsdtar rsync ssh scp sftp sort rg man less zip split tcpdump npm gdb lldb vim vi nvim ex view ed dc emacs wget nc ncat netcat socat nodemon cargo cargo-watch nix-shell expect apt apt-get psql mysql mariadb sqlite3 hg complete bind svn sekisho",
);

function carrierOnTheWay(name: string): readonly Carrier[] | undefined {
  switch (name) {
    case "tar":
    case "gtar":
      return [archiver(), { options: ["--checkpoint-action"], lead: "exec=" }];
    case "bsdtar":
      return [archiver()];
    case "zip":
      return [{ options: ["-TT", "--unzip-command"] }];
    case "split":
      return [{ options: ["--filter"] }];
    case "sort":
      return [{ options: ["--compress-program"] }];
    case "rg":
      return [{ options: ["--pre", "--hostname-bin"] }];
    case "rsync":
      return [{ options: ["-e", "--rsh", "--rsync-path"] }];
    case "ssh":
      return [connection()];
    case "scp":
    case "sftp":
      return [connection(), { options: ["-S"] }];
    case "wget":
      return [{ options: ["--use-askpass"] }];
    case "nc":
    case "ncat":
    case "netcat":
      return [{ options: ["-e", "-c", "--exec", "--sh-exec"] }];
    case "socat":
      return [{ operands: true, lead: /^(?:EXEC|SYSTEM|SHELL):/i }];
    case "tcpdump":
      return [{ options: ["-z"] }];
    case "npm":
      return [{ options: ["--script-shell", "script-shell"] }, { operands: true, lead: "script-shell=" }];
    case "apt":
    case "apt-get":
      return [{ options: ["-o"], lead: /^[\w:]*(?:Pre|Post)-\w+:*=/ }];
    case "svn":
      return [{ options: ["--editor-cmd", "--diff-cmd", "--diff3-cmd"] }];
    case "hg":
      return [{ options: ["--config"], lead: /^(?:alias\.[^=]+=!|hooks\.[^=]+=|ui\.(?:ssh|editor|merge)=)/ }];
    default:
      return undefined;
  }
}

function carrierAtWork(name: string): readonly Carrier[] | undefined {
  switch (name) {
    case "vim":
    case "vi":
    case "nvim":
    case "view":
      return [editor()];
    case "ex":
      return [editor(), { input: true, lead: /^\s*!/ }];
    case "ed":
      return [{ input: true, lead: /^\s*!/ }];
    case "less":
      return [{ operands: true, lead: /^\+{1,2}!/ }];
    case "man":
      return [{ options: ["-P", "--pager", "-H", "--html"] }];
    case "gdb":
      return [debuggers(["-ex", "-iex", "--eval-command", "-eval-command", "--ex"])];
    case "lldb":
      return [debuggers(["-o", "-O", "--one-line"])];
    // A person's program, run when an agent is to be woken.
    case "sekisho":
      return [{ options: ["--run"] }];
    case "dc":
      return [{ options: ["-e"], lead: /^!/ }];
    case "emacs":
      return [{ options: ["--eval", "-eval", "--execute"], lead: /^.*\((?:async-)?shell-command(?:-to-string)?\s+"/s }];
    case "nodemon":
      return [{ options: ["-x", "--exec"] }];
    case "cargo":
    case "cargo-watch":
      return [{ options: ["-s", "--shell"] }];
    case "nix-shell":
      return [{ options: ["--run", "--command"] }];
    case "expect":
      return [{ options: ["-c"], lead: /^.*?(?:spawn|exec|system)\s+/s }];
    case "complete":
      return [{ options: ["-C"] }];
    case "bind":
      return [{ options: ["-x"], lead: /^\s*(?:"[^"]*"|\S+?)\s*:\s*/ }];
    default:
      return carrierOfData(name);
  }
}

function carrierOfData(name: string): readonly Carrier[] | undefined {
  const lead = /^\s*\.(?:shell|system)\s+/;
  if (name === "sqlite3")
    return [
      { operands: true, input: true, lead },
      { options: ["-cmd"], lead },
    ];
  return name === "psql" || name === "mysql" || name === "mariadb"
    ? [{ options: ["-c", "-e", "--command", "--execute"], lead: /^\s*(?:\\!|system\s)\s*/, input: true }]
    : undefined;
}

function editor(): Carrier {
  return {
    options: ["-c", "--cmd", "-S", "+"],
    lead: /^[:\s]*(?:sil(?:ent)?!?\s+)?(?:(?:r|read|w|write)?\s*!|(?:call\s+|echo\s+|let\s+\w+\s*=\s*)?system(?:list)?\(\s*["']|term(?:inal)?\s+|lua\s+os\.execute\(\s*["']|py(?:thon)?3?\s+.*os\.system\(\s*["'])/,
  };
}

function connection(): Carrier {
  return { options: ["-o"], lead: /^\s*(?:Proxy|Local|Remote|KnownHosts)Command\s*[= ]\s*/i };
}

function archiver(): Carrier {
  return {
    options: ["--to-command", "--use-compress-program", "-I", "--info-script", "--new-volume-script", "--rsh-command"],
  };
}

/** Also in the languages that debuggers speak, and in the process that they debug. */
function debuggers(options: readonly string[]): Carrier {
  const lead =
    /^\s*(?:!|(?:platform\s+)?shell\s|make\s|pipe\s+.*\||(?:py\w*|pi|script|call|p|print|expr\w*|output)\s+.*\b(?:system|popen|getoutput|run|call)\(\s*["'])\s*/;
  return { options, input: true, lead };
}

/** Reads the commands that a command starts besides its own work. */
export function runCarried(name: string, call: Call): void {
  for (const carrier of carriersOf(name) ?? []) {
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

/** A call in another language ends with a quote and a bracket, which do not belong to the command. */
function behind(word: Word, lead: RegExp | string): Word[] {
  if (typeof lead === "string") return word.prefix.startsWith(lead) ? [cut(word, lead.length)] : [];
  const match = lead.exec(word.prefix);
  if (!match) return [];
  const rest = cut(word, match[0].length);
  const quote = /["']$/.exec(match[0])?.[0];
  if (quote === undefined || !rest.literal) return [rest];
  const end = rest.text.indexOf(quote);
  return [literalWord(end < 0 ? rest.text : rest.text.slice(0, end))];
}
