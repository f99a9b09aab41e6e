/** Inline programs that open a reverse shell, or run a command that the program does not contain. */

import { text } from "../../../lib/text.ts";
import { MARK, type Skeleton } from "../../../reading/programs/skeleton.ts";
import type { Program } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, question } from "./danger.ts";

const socketsPattern = (): RegExp =>
  /\bsocket\b|fsockopen|TCPSocket|IO::Socket|\bnet\b['"]?\)?|\bSocket\b|Net\.Sockets|stream_socket_client|\/inet\/(?:tcp|udp)\//;
const shellNamePattern = (): RegExp =>
  /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh(?:\s|$)|^(?:cmd|powershell)(?:\.exe)?$/i;
const startsPattern = (): RegExp =>
  /\b(?:dup2|pty|subprocess|exec\w*|spawn\w*|system|popen\w*|proc_open|open3|STDIN)\b/i;

/** A socket, a shell, and a call that connects them. */
export function shellsAway({ code, strings }: Skeleton, { text: source }: Program): Danger[] {
  if (!socketsPattern().test(source)) return [];
  const joins = /\bdup2\b|\|&\s*getline/.test(code);
  const shell = strings.some(({ text: value }) => shellNamePattern().test(value)) && startsPattern().test(code);
  return joins || shell ? [handsOver] : [];
}

const handsOver = forbid(
  text(
    "The program hands a shell on this machine to another one, where anybody may type into it.",
    "このプログラムは、このマシンのシェルを別のマシンに渡します。",
  ),
  text(
    "Send only the output that is needed; for a person's own access, `ssh`.",
    "必要な出力だけを送ってください。本人の接続には `ssh` を使えます。",
  ),
);

const startCallPattern = (): RegExp =>
  /\b(?:os\.system|os\.popen|os\.exec\w+|subprocess\.\w+|execSync|execFileSync|spawnSync|shell_exec|passthru|proc_open|(?:child_process|cp)\.\w+|eval|exec|system)(?:\s*\(\s*|\s+)([^;\n]{0,80})/g;
const fromOutsidePattern = (): RegExp =>
  /\bargv\b|\bstdin\b|\binput\s*\(|\benviron\b|\bgetenv\b|\bARGV\b|\bSTDIN\b|\bgets\b|process\.env|\.recv\(|\$ENV\b|\$_(?:GET|POST|SERVER)\b/;

/** The command comes from arguments, input or the environment. */
export function startsUnread({ code }: Skeleton): Danger[] {
  const unread = [...code.matchAll(startCallPattern())].some(
    ([, argument = ""]) => !argument.replace(/^\[\s*/, "").startsWith(MARK) && runsFirst(argument),
  );
  return unread ? [fromOutside] : [];
}

/**
 * Only the first argument, or the first word of a list, matters: what follows a known command is just its arguments.
 */
function runsFirst(argument: string): boolean {
  return fromOutsidePattern().test(argument.replace(/^\[/, "").split(",")[0] ?? "");
}

const fromOutside = question(
  text(
    "The program runs text that it gets from elsewhere, and nobody has read that.",
    "このプログラムは、外から受け取った内容を確認なしに実行します。",
  ),
  text("Write the command itself on the line.", "実行するコマンドそのものを書いてください。"),
);

const requestPattern = (): RegExp =>
  /^\s*(?:sudo\s+)?(?:curl|wget|nc|ncat|netcat|socat|ssh|scp|sftp|ftp|telnet)\s+(?!.*(?:localhost|127\.0\.0\.1))/;

const removalPattern = (): RegExp =>
  /^\s*(?:sudo\s+)?(?:rm\s+(?:\S+\s+)*?-\w*[rR]|rm\s+(?:\S+\s+)*?--recursive|shred\s|dd\s)/;

/** A request or a deletion that could be a command on the line itself: wrapping it only hides it. */
export function wrappedIn(commands: readonly string[]): Danger[] {
  if (commands.some((command) => removalPattern().test(command))) return [removal];
  if (commands.some((command) => bareShellPattern().test(command))) return [shell];
  return commands.some((command) => requestPattern().test(command)) ? [request] : [];
}

const bareShellPattern = (): RegExp => /^\s*(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh(?:\s+-[il]+)?\s*$/;
const shell = question(
  text("The program starts a shell that reads whatever it is fed.", "このプログラムは、入力を待つシェルを起動します。"),
  text("Write the commands themselves on the line.", "実行するコマンドそのものを書いてください。"),
);

const removal = question(
  text(
    "The program starts another one only to delete files.",
    "このプログラムは、ファイルを削除するコマンドを起動します。",
  ),
  text("Write the deletion as a command of its own.", "削除は独立したコマンドとして書いてください。"),
);

const request = question(
  text(
    "The program starts another one that reaches other machines.",
    "このプログラムは、別のマシンと通信するコマンドを起動します。",
  ),
  text("Write the request as a command of its own.", "通信は独立したコマンドとして書いてください。"),
);
