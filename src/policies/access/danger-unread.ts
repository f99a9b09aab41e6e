/** Text that would run without anybody having read it. */

import type { Invocation, ShellReading, UnknownReason } from "../../kernel/shell-reading.ts";
import { type Text, text } from "../../kernel/text.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";

const NETWORK =
  /^(?:curl|wget|https?|httpie|xh|fetch|aria2c|lynx|w3m|nc|ncat|netcat|socat|telnet|ftp|tftp|iwr|irm|invoke-(?:webrequest|restmethod)|ssh|dig|nslookup)$/i;

/** Tools whose output is made to be evaluated by the shell that starts them. */
const SETUP =
  /^(?:ssh-agent|brew|direnv|pyenv|rbenv|nodenv|fnm|nvm|starship|zoxide|dircolors|opam|conda|mamba|micromamba|mise|rtx|asdf|thefuck|keychain|gpg-agent|luarocks|perl|register-python-argcomplete|kubectl|helm|gh|npm|docker|minikube|docker-machine|lesspipe|resize|atuin|devbox|vault|op|poetry|pip|rustup|cargo|completion)$/;

export const unreadDanger: Judge = (invocation) => {
  const { runsUnread, word } = invocation;
  if (invocation.name === undefined && word.from?.some(isNetwork)) return fromNetwork;
  if (!runsUnread) return powershellFetch(invocation);
  const { from } = runsUnread;
  if (from.some(isNetwork)) return fromNetwork;
  if (from.length > 0 && from.every(isSetup)) return undefined;
  return question(
    text(
      `${shown(invocation)} would run text that is not on the line.`,
      `${shown(invocation)} は、コマンド上にない内容を実行します。`,
    ),
    text(
      "Write the text to a file, read it, then run that file by name.",
      "内容をファイルに書き出して確認し、そのファイルを名前で実行してください。",
    ),
  );
};

const fromNetwork = forbid(
  text("This runs whatever the network answers, unread.", "ネットワークから届いた内容を確認せずに実行します。"),
  text(
    "Download it to a file (`curl -fsSLo install.sh <url>`), read it, and let the person run it.",
    "ファイルに保存（`curl -fsSLo install.sh <url>`）して内容を確認し、利用者に実行してもらってください。",
  ),
);

function isNetwork({ name }: Invocation): boolean {
  return name !== undefined && NETWORK.test(name);
}

function isSetup({ name, args }: Invocation): boolean {
  if (name === undefined || !SETUP.test(name)) return false;
  return (
    name === "ssh-agent" ||
    args.some(({ text: word }) =>
      /^(?:init|env|hook|shellenv|shell\.\w+|activate|completions?|-[sc]|export|docker-env)$|^--(?:shell|init|bash|zsh|eval)/.test(
        word,
      ),
    ) ||
    args.length <= 1
  );
}

/** PowerShell's own words, wherever such a line ends up. */
function powershellFetch({ name, args, stdin }: Invocation): Danger | undefined {
  if (name === undefined || !/^(?:iex|invoke-expression)$/i.test(name)) return undefined;
  return stdin || args.length > 0 ? fromNetwork : undefined;
}

const REASONS: Readonly<Record<UnknownReason, Text | undefined>> = {
  "parse error": text(
    "This line is not valid shell, so what it does cannot be told.",
    "シェルとして解釈できないため、何が起きるか判断できません。",
  ),
  oversized: text("This line is too long to read in full.", "コマンドが長すぎて全体を確認できません。"),
  "too deep": text("This line is nested too deeply to read.", "入れ子が深すぎて読み取れません。"),
  "too many commands": text(
    "This line holds too many commands to read in full.",
    "コマンドが多すぎて全体を確認できません。",
  ),
  "command name is not literal": text(
    "The name of a command is only made up at run time.",
    "実行時にならないとコマンド名が決まりません。",
  ),
  "NUL byte": text(
    "This line contains a NUL byte, which no real command does.",
    "通常のコマンドにはない NUL 文字が含まれています。",
  ),
  // Judged with what flows in, above.
  "unread text runs in a shell": undefined,
};

export function unknownDangers({ unknown }: ShellReading): Danger[] {
  const fix = text(
    "Write it as a plain command, or put it into a script file and run that.",
    "単純なコマンドとして書くか、スクリプトファイルにして実行してください。",
  );
  return unknown.flatMap((reason) => {
    const what = REASONS[reason];
    return what ? [question(what, fix)] : [];
  });
}
